import { method } from '../define.js';
import { int, num, oneOf, opt, params, result, str, strings } from '../params.js';
import { Type } from '../schema.js';
import { nullable, nullableIds } from './shapes.js';
import { ProcessState } from './yard.js';

const supervisor = { owner: 'supervisor', tier: 'alpha' } as const;

/** A page of a log, as `sy logs` asks for it. */
const MAX_LOG_LINES = 1000;
/** As long as a person looks at a log that stands still; then the client asks again. */
const MAX_LOG_WAIT_MS = 60_000;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

const at = Type.Number({ description: 'Unix milliseconds.' });
const bytes = Type.Integer({ minimum: 0 });
const rate = (what: string) => Type.Number({ description: `Bytes a second in the interval: ${what}.` });
const cpu = Type.Number({ description: 'Percent of one core in the interval: two cores at full load are 200.' });
const Descriptors = {
  descriptors: nullable(Type.Integer(), 'Open descriptors; null where the system does not tell.'),
  descriptor_limit: nullable(Type.Integer(), 'How many it may have; null: no limit, or not known.'),
};

const ServiceUse = Type.Object({
  name: Type.String({ description: 'Of the process, as in yard.status; `supervisor` is among them.' }),
  pid: Type.Integer(),
  cpu_percent: cpu,
  rss_bytes: bytes,
  ...Descriptors,
  read_rate: nullable(rate('what it has read, files and sockets'), 'null where the system does not tell.'),
  write_rate: nullable(rate('what it has written'), 'null where the system does not tell.'),
});

const SurfaceUse = Type.Object({
  ...nullableIds('surface', 'workspace'),
  surface_id: Type.String(),
  title: nullable(Type.String(), 'null, like refs and workspace, while workspace-service is away.'),
  host: Type.String(),
  pid: Type.Integer({ description: 'Of the program it was opened with.' }),
  processes: Type.Integer({ description: 'Those of its session, and all that were started by them.' }),
  cpu_percent: cpu,
  rss_bytes: bytes,
  output_rate: rate('what it has printed'),
  input_rate: rate('what was typed into it'),
  output_bytes: Type.Integer({ description: 'Printed, ever.' }),
  input_bytes: Type.Integer({ description: 'Typed into its present program.' }),
  input_waiting: Type.Integer({ description: 'Typed bytes that its program has not read yet.' }),
});

export const Verdict = Type.Enum(['ok', 'degraded', 'failing'], {
  description: 'degraded: it works, but somebody should look. failing: a part of it does not work.',
});
/** Every alarm there is, with what it means in docs/operations.md. */
export const ALARMS = [
  'process_failed',
  'process_down',
  'process_crashed',
  'process_suspended',
  'service_silent',
  'version_mixed',
  'bus_down',
  'keeper_away',
  'disk_low',
  'disk_full',
  'disk_read_only',
  'storage_refused',
  'terminals_waiting',
  'files_low',
  'memory_low',
  'memory_high',
  'descriptors_high',
  'terminals_high',
  'requests_high',
  'connections_high',
  'events_waiting',
] as const;

const Reason = Type.Object({
  alarm: Type.Enum([...ALARMS]),
  verdict: Type.Enum(['degraded', 'failing']),
  subject: nullable(Type.String(), 'The process or folder it is about; null: the yard.'),
  message: Type.String({ description: 'One sentence with the numbers.' }),
});

const ServiceHealth = Type.Object({
  name: Type.String(),
  state: ProcessState,
  pid: nullable(Type.Integer()),
  version: nullable(Type.String(), 'Of the installation it runs from; null while that is not known.'),
  suspended: nullable(Type.Boolean(), 'Stopped by a signal, so that it does nothing; null: not known.'),
  restarts: Type.Integer(),
  crashes: Type.Integer({ description: 'Ends of its own that count at present.' }),
  rss_bytes: nullable(bytes),
  ...Descriptors,
  answers_ms: nullable(
    Type.Number(),
    'How long an answer over the bus took; null: none came, or it is not on the bus.',
  ),
  requests: nullable(Type.Integer(), 'Answered in this run; null as above.'),
  errors: nullable(Type.Integer(), 'Of these with an error.'),
  in_flight: nullable(Type.Integer(), 'Requests in its hands now.'),
  gauges: Type.Record(Type.String(), Type.Number(), {
    description: 'What it counts of its own: connections, events …',
  }),
});

const FolderSpace = Type.Object({
  folder: Type.Enum(['state', 'runtime']),
  path: Type.String(),
  free_bytes: Type.Number(),
  total_bytes: Type.Number(),
  free_files: nullable(Type.Number(), 'Files that can still be made; null: the file system has no limit.'),
  total_files: nullable(Type.Number()),
  writable: Type.Boolean({ description: 'false: the file system is read-only, or the folder may not be written to.' }),
});

export const observe = {
  'system.top': method({
    ...supervisor,
    effect: 'query',
    summary:
      'What each process of the yard and each terminal with all its processes uses, since the reading before or in a short interval of its own. Nothing is read unless somebody asks.',
    params: params({}),
    result: result({
      at,
      interval_ms: Type.Number({ description: 'Length of the interval that shares and rates are of.' }),
      cores: Type.Integer(),
      services: Type.Array(ServiceUse),
      surfaces: Type.Array(SurfaceUse),
      unreachable: Type.Array(Type.String(), {
        description: 'pty-hosts that did not answer: their surfaces are missing.',
      }),
    }),
  }),
  'system.health': method({
    ...supervisor,
    effect: 'query',
    summary: 'Whether the yard is well: one verdict with its reasons, and the facts it is based on.',
    params: params({}),
    result: result({
      verdict: Verdict,
      reasons: Type.Array(Reason, { description: 'The alarms that are raised, the gravest first.' }),
      at,
      bus: Type.Object({ broker: Type.String(), connected: Type.Boolean() }),
      version: Type.String({ description: 'Of the supervisor: what replaces a process is of this one.' }),
      services: Type.Array(ServiceHealth),
      disk: Type.Array(FolderSpace),
      memory: nullable(
        Type.Object({ free_bytes: Type.Number(), total_bytes: Type.Number() }),
        'Of the machine: what programs can still have; null where the system does not tell.',
      ),
      terminals: nullable(
        Type.Object({ open: Type.Integer(), limit: Type.Integer() }),
        'Pseudo-terminals of the whole machine; null where the system does not tell.',
      ),
      events_waiting: Type.Integer({ description: 'Events of the supervisor that the journal has not taken yet.' }),
    }),
  }),
  'yard.logs': method({
    ...supervisor,
    effect: 'wait',
    scope: 'admin',
    summary: 'What the processes logged: the last lines, or with a cursor those after it.',
    params: params({
      services: opt(strings('Only of these processes, by their names in yard.status; a kind means all of it.')),
      level: opt(oneOf([...LOG_LEVELS], 'Only lines of this level or a graver one.')),
      since: opt(num('Only lines from this time on, Unix milliseconds.')),
      limit: opt(int('At most so many. Default 100.', { minimum: 1, maximum: MAX_LOG_LINES })),
      cursor: opt(str('Where an earlier answer ended: the lines after it, oldest first.')),
      wait_ms: opt(
        int('With a cursor: when there is nothing new, wait for it.', { minimum: 0, maximum: MAX_LOG_WAIT_MS }),
      ),
    }),
    result: result({
      entries: Type.Array(
        Type.Object({
          process: Type.String(),
          at: nullable(Type.Number(), 'Unix milliseconds; null: the line does not say.'),
          level: nullable(Type.Enum([...LOG_LEVELS]), 'null: the line does not say; such lines pass every filter.'),
          message: Type.String(),
          line: Type.String({ description: 'As it is in the file: JSON, or what a program printed by itself.' }),
        }),
        { description: 'Oldest first.' },
      ),
      cursor: Type.String(),
      more: Type.Boolean({ description: 'There are later lines already.' }),
    }),
    errors: ['not_found', 'invalid_params'],
    timeoutParam: 'wait_ms',
  }),
  'terminal.usage': method({
    owner: 'pty-host',
    visibility: 'internal',
    effect: 'query',
    summary: 'What the programs in the living terminals have used so far, process by process.',
    params: params({}),
    result: result({
      terminals: Type.Array(
        Type.Object({
          surface_id: Type.String(),
          pid: Type.Integer(),
          output_bytes: Type.Integer(),
          input_bytes: Type.Integer(),
          input_waiting: Type.Integer(),
          processes: Type.Array(
            Type.Object({
              pid: Type.Integer(),
              parent: Type.Integer(),
              start: Type.String({ description: 'With the pid the name of the process for ever.' }),
              cpu_ms: Type.Number(),
              children_cpu_ms: Type.Number({
                description: 'Of children that have ended; 0 where the system does not tell.',
              }),
              rss_bytes: Type.Integer(),
            }),
          ),
        }),
      ),
    }),
  }),
} as const;
