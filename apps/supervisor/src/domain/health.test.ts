import { describe, expect, it } from 'vitest';
import { type HealthFacts, judge } from './health.js';

const GiB = 1024 ** 3;
type Service = HealthFacts['services'][number];

const service = (name: string, more: Partial<Service> = {}): Service => ({
  name,
  state: 'ready',
  pid: 1,
  version: '1.0.0',
  suspended: false,
  restarts: 0,
  crashes: 0,
  rss_bytes: 50_000_000,
  descriptors: 30,
  descriptor_limit: 1024,
  answers_ms: 1,
  requests: 10,
  errors: 0,
  in_flight: 0,
  gauges: {},
  ...more,
});
const space = (more: object = {}) => ({
  folder: 'state' as const,
  path: '/s',
  free_bytes: 100 * GiB,
  total_bytes: 200 * GiB,
  free_files: null,
  total_files: null,
  writable: true,
  ...more,
});
const facts = (more: Partial<HealthFacts> = {}): HealthFacts => ({
  bus: { broker: 'embedded', connected: true },
  version: '1.0.0',
  services: ['gateway', 'workspace-service', 'pty-host', 'detector'].map((name) => service(name)),
  disk: [space()],
  memory: { free_bytes: 8 * GiB, total_bytes: 16 * GiB },
  terminals: { open: 10, limit: 4096 },
  events_waiting: 0,
  ...more,
});
const alarms = (more: Partial<HealthFacts>) =>
  judge(facts(more)).reasons.map(({ alarm, verdict, subject }) => [alarm, verdict, subject]);

describe('the verdict on a yard', () => {
  it('is ok, without a reason, when nothing is wrong', () => {
    expect(judge(facts())).toEqual({ verdict: 'ok', reasons: [] });
    // What is not on the bus cannot answer there, and what the system does not tell raises nothing.
    const quiet = service('keeper', { requests: null, answers_ms: null, descriptors: null, descriptor_limit: null });
    expect(judge(facts({ services: [quiet], memory: null, terminals: null })).verdict).toBe('ok');
  });

  it('is that of the gravest alarm, which stands first', () => {
    const { verdict, reasons } = judge(
      facts({ services: [service('detector', { state: 'failed' }), service('gateway', { state: 'backoff' })] }),
    );
    expect(verdict).toBe('failing');
    expect(reasons.map(({ alarm, subject }) => [alarm, subject])).toEqual([
      ['process_down', 'gateway'],
      ['process_failed', 'detector'],
    ]);
  });

  it('names a process of another version, and that version', () => {
    const services = [service('pty-host', { version: '0.9.0' }), service('keeper', { version: null })];
    expect(alarms({ services })).toEqual([['version_mixed', 'degraded', 'pty-host']]);
    expect(judge(facts({ services })).reasons[0]?.message).toContain('pty-host runs version 0.9.0');
  });

  it('knows who is missed by all, and who by some', () => {
    const failed = (name: string) => alarms({ services: [service(name, { state: 'failed', crashes: 6 })] });
    expect(failed('pty-host-2')).toEqual([['process_failed', 'failing', 'pty-host-2']]);
    expect(failed('notifier')).toEqual([['process_failed', 'degraded', 'notifier']]);
  });

  it('sees a service that runs and does not answer, unless the bus itself is away', () => {
    const services = [service('gateway', { requests: null, answers_ms: null })];
    expect(alarms({ services })).toEqual([['service_silent', 'failing', 'gateway']]);
    expect(alarms({ services, bus: { broker: 'embedded', connected: false } })).toEqual([
      ['bus_down', 'failing', 'bus'],
    ]);
  });

  it('says of a process that it is suspended, and not besides that it is silent', () => {
    const services = [service('gateway', { suspended: true, requests: null, answers_ms: null })];
    expect(alarms({ services })).toEqual([['process_suspended', 'failing', 'gateway']]);
  });

  it('expects no answer on the bus of what carries it', () => {
    const services = ['bus', 'bus-fleet', 'keeper'].map((name) => service(name, { requests: null, answers_ms: null }));
    expect(alarms({ services })).toEqual([]);
  });

  it('mentions a process that ended twice lately, not one that did so once', () => {
    expect(alarms({ services: [service('detector', { crashes: 1 })] })).toEqual([]);
    expect(alarms({ services: [service('detector', { crashes: 2 })] })).toEqual([
      ['process_crashed', 'degraded', 'detector'],
    ]);
  });

  it.each([
    [{ descriptors: 900 }, 'descriptors_high', 'degraded'],
    [{ descriptors: 1000 }, 'descriptors_high', 'failing'],
    [{ rss_bytes: 2 * GiB }, 'memory_high', 'degraded'],
    [{ in_flight: 500 }, 'requests_high', 'degraded'],
    [{ gauges: { keeper_connected: 0 } }, 'keeper_away', 'failing'],
    [{ gauges: { connections: 1000, connection_limit: 1024 } }, 'connections_high', 'failing'],
  ])('raises an alarm of a service with %j: %s', (more, alarm, verdict) => {
    expect(alarms({ services: [service('git-service', more)] })).toEqual([[alarm, verdict, 'git-service']]);
  });

  it.each([
    [{ disk: [space({ free_bytes: GiB / 2 })] }, 'disk_low', 'degraded'],
    [{ disk: [space({ free_bytes: GiB / 100 })] }, 'disk_low', 'failing'],
    [{ disk: [space({ free_files: 100, total_files: 1_000_000 })] }, 'files_low', 'failing'],
    [{ memory: { free_bytes: GiB / 10, total_bytes: 16 * GiB } }, 'memory_low', 'degraded'],
    [{ terminals: { open: 3500, limit: 4096 } }, 'terminals_high', 'degraded'],
    [{ events_waiting: 500 }, 'events_waiting', 'degraded'],
  ])('raises an alarm of the machine with %j: %s', (more, alarm, verdict) => {
    expect(alarms(more as Partial<HealthFacts>).map(([name, grave]) => [name, grave])).toEqual([[alarm, verdict]]);
  });

  it('does not call a small file system low that is as empty as it was made', () => {
    expect(alarms({ disk: [space({ free_bytes: 60_000_000, total_bytes: 64_000_000 })] })).toEqual([]);
  });

  it('names a folder that takes nothing, and who suffers from it', () => {
    expect(alarms({ disk: [space({ free_bytes: 4096 })] })).toEqual([['disk_full', 'failing', 'state']]);
    expect(alarms({ disk: [space({ writable: false })] })).toEqual([['disk_read_only', 'failing', 'state']]);
    const services = [
      service('notifier', { gauges: { storage_full: 1, storage_read_only: 0 } }),
      service('pty-host', { gauges: { terminals_waiting: 3 } }),
    ];
    expect(alarms({ services })).toEqual([
      ['terminals_waiting', 'failing', 'pty-host'],
      ['storage_refused', 'degraded', 'notifier'],
    ]);
    const message = judge(facts({ disk: [space({ free_bytes: 4096 })] })).reasons[0]?.message;
    expect(message).toContain('4096 bytes are free at /s');
  });
});
