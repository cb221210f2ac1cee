import type { Result } from '@switchyard/protocol';

/** What one scrape is made of. */
export interface MetricFacts {
  readonly version: string;
  readonly health: Result<'system.health'>;
  readonly top: Result<'system.top'>;
  /** CPU seconds of a process in its life, by name. */
  readonly serviceCpu: ReadonlyMap<string, number>;
  /** CPU seconds of a surface since somebody looked first. */
  readonly surfaceCpu: (surfaceId: string) => number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [Labels, number | null];

interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly Sample[];
}

const VERDICTS = ['ok', 'degraded', 'failing'] as const;

/** The text form of Prometheus, version 0.0.4. What is not known has no line. */
export function metricsText(facts: MetricFacts): string {
  const blocks = [...yardMetrics(facts), ...serviceMetrics(facts), ...surfaceMetrics(facts)].map(block);
  return blocks.filter((text) => text !== '').join('');
}

function yardMetrics({ version, health, top }: MetricFacts): Metric[] {
  const folders = (of: (space: (typeof health.disk)[number]) => number | null): Sample[] =>
    health.disk.map((space) => [{ folder: space.folder }, of(space)]);
  return [
    gauge('switchyard_build_info', 'Version of the yard.', [[{ version }, 1]]),
    gauge(
      'switchyard_health',
      'The verdict of system.health: the one that holds is 1.',
      VERDICTS.map((verdict) => [{ verdict }, health.verdict === verdict ? 1 : 0]),
    ),
    gauge(
      'switchyard_alarm',
      'Alarms that are raised.',
      health.reasons.map(({ alarm, verdict, subject }) => [{ alarm, verdict, subject: subject ?? '' }, 1]),
    ),
    gauge('switchyard_bus_connected', 'Whether the supervisor is on the bus.', [[{}, health.bus.connected ? 1 : 0]]),
    gauge(
      'switchyard_disk_free_bytes',
      'Free space.',
      folders(({ free_bytes }) => free_bytes),
    ),
    gauge(
      'switchyard_disk_size_bytes',
      'Size of the file system.',
      folders(({ total_bytes }) => total_bytes),
    ),
    gauge(
      'switchyard_disk_free_files',
      'Files that can still be made.',
      folders(({ free_files }) => free_files),
    ),
    gauge('switchyard_pseudo_terminals_open', 'Of the whole machine.', [[{}, health.terminals?.open ?? null]]),
    gauge('switchyard_pseudo_terminals_limit', 'Of the whole machine.', [[{}, health.terminals?.limit ?? null]]),
    gauge('switchyard_events_waiting', 'Events that the journal has not taken yet.', [[{}, health.events_waiting]]),
    gauge('switchyard_surfaces', 'Terminals with a living program.', [[{}, top.surfaces.length]]),
  ];
}

function serviceMetrics({ health, top, serviceCpu }: MetricFacts): Metric[] {
  type Service = (typeof health.services)[number];
  const each = (of: (service: Service) => number | null): Sample[] =>
    health.services.map((service) => [{ process: service.name }, of(service)]);
  const used = (of: (service: (typeof top.services)[number]) => number | null): Sample[] =>
    top.services.map((service) => [{ process: service.name }, of(service)]);
  const gauges = health.services.flatMap(({ name, gauges: own }): Sample[] =>
    Object.entries(own).map(([what, value]) => [{ process: name, name: what }, value]),
  );
  return [
    gauge(
      'switchyard_process_up',
      'Whether it is ready.',
      each(({ state }) => (state === 'ready' ? 1 : 0)),
    ),
    counter(
      'switchyard_process_restarts_total',
      'Of this supervisor.',
      each(({ restarts }) => restarts),
    ),
    counter(
      'switchyard_process_cpu_seconds_total',
      'In this run.',
      used(({ name }) => serviceCpu.get(name) ?? null),
    ),
    gauge(
      'switchyard_process_resident_memory_bytes',
      'Resident memory.',
      used(({ rss_bytes }) => rss_bytes),
    ),
    gauge(
      'switchyard_process_open_fds',
      'Open descriptors.',
      used(({ descriptors }) => descriptors),
    ),
    gauge(
      'switchyard_process_max_fds',
      'Limit of descriptors.',
      used(({ descriptor_limit }) => descriptor_limit),
    ),
    counter(
      'switchyard_service_requests_total',
      'Requests answered on the bus.',
      each(({ requests }) => requests),
    ),
    counter(
      'switchyard_service_errors_total',
      'Those of them with an error.',
      each(({ errors }) => errors),
    ),
    gauge(
      'switchyard_service_requests_in_flight',
      'Requests in its hands.',
      each(({ in_flight }) => in_flight),
    ),
    gauge(
      'switchyard_service_answer_seconds',
      'How long a survey of it took.',
      each(({ answers_ms }) => answers_ms && answers_ms / 1000),
    ),
    gauge('switchyard_service_gauge', 'What services count of their own, by name.', gauges),
  ];
}

function surfaceMetrics({ top, surfaceCpu }: MetricFacts): Metric[] {
  const each = (of: (surface: (typeof top.surfaces)[number]) => number): Sample[] =>
    top.surfaces.map((surface) => [{ surface: surface.surface_id, host: surface.host }, of(surface)]);
  return [
    counter(
      'switchyard_surface_cpu_seconds_total',
      'Of all its processes, since the first look.',
      each(({ surface_id }) => surfaceCpu(surface_id)),
    ),
    gauge(
      'switchyard_surface_resident_memory_bytes',
      'Of all its processes.',
      each(({ rss_bytes }) => rss_bytes),
    ),
    gauge(
      'switchyard_surface_processes',
      'Processes of the terminal.',
      each(({ processes }) => processes),
    ),
    counter(
      'switchyard_surface_output_bytes_total',
      'Printed.',
      each(({ output_bytes }) => output_bytes),
    ),
    counter(
      'switchyard_surface_input_bytes_total',
      'Typed.',
      each(({ input_bytes }) => input_bytes),
    ),
    gauge(
      'switchyard_surface_input_waiting_bytes',
      'Typed and not read.',
      each(({ input_waiting }) => input_waiting),
    ),
  ];
}

const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  type: 'gauge',
  help,
  samples,
});
const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  type: 'counter',
  help,
  samples,
});

function block({ name, type, help, samples }: Metric): string {
  const lines = samples.flatMap(([labels, value]) => (value === null ? [] : [`${name}${braces(labels)} ${value}`]));
  if (lines.length === 0) return '';
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

function braces(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
