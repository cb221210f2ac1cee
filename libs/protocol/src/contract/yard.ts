import { method } from '../define.js';
import { params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';

/** `backoff`: it ended and is about to be started again. `failed`: it ends so often that it is tried only rarely. */
export const ProcessState = Type.Enum(['starting', 'ready', 'draining', 'stopped', 'backoff', 'failed']);

export const ProcessStatus = Type.Object({
  name: Type.String({ description: 'Kind of process; a second of its kind has the suffix `-2`.' }),
  pid: nullable(Type.Integer(), 'null while it does not run.'),
  state: ProcessState,
  uptime_ms: Type.Integer({ description: '0 while it does not run.' }),
  restarts: Type.Integer({ description: 'How often this supervisor has started it again.' }),
  rss_bytes: nullable(Type.Integer(), 'Resident memory; null while it does not run.'),
  version: nullable(Type.String(), 'Of the installation it runs from; null while that is not known.'),
});

const Installation = Type.Object({ version: Type.String(), folder: Type.String() });

const Upgrade = Type.Object({
  state: Type.Enum(['running', 'done', 'failed']),
  from: Installation,
  to: Installation,
  step: nullable(Type.String(), 'The process that is being replaced; null at the end.'),
  replaced: Type.Array(Type.String(), { description: 'Processes that run from the new installation.' }),
  error: nullable(Type.String(), 'Why the old installation is in charge again.'),
  started_at: Type.Integer({ description: 'Unix milliseconds.' }),
  ended_at: nullable(Type.Integer(), 'Unix milliseconds; null while it runs.'),
});

const supervisor = { owner: 'supervisor' } as const;

export const yard = {
  'yard.status': method({
    ...supervisor,
    effect: 'query',
    summary: 'Every process of the yard.',
    params: params({}),
    result: result({
      processes: Type.Array(ProcessStatus),
      supervisor: Type.Object({
        pid: Type.Integer(),
        uptime_ms: Type.Integer(),
        rss_bytes: Type.Integer(),
        version: Type.String(),
      }),
      yard: Type.Object({
        name: Type.String(),
        socket_path: Type.String(),
        runtime_dir: Type.String(),
        state_dir: Type.String(),
        bus: Type.String({ description: '`embedded`, `nats-server`, or the URL of a broker without credentials.' }),
      }),
      upgrade: nullable(Upgrade, 'The last one since the yard is up; null when there was none.'),
    }),
  }),
  'yard.stop': method({
    ...supervisor,
    effect: 'mutation',
    scope: 'admin',
    idempotent: true,
    summary: 'Stops the yard: services first, terminals last. Answers before it does.',
    params: params({}),
    result: result({ stopping: Type.Literal(true) }),
    risks: ['Every terminal is hung up and its program ends.'],
  }),
  'yard.restart': method({
    ...supervisor,
    effect: 'mutation',
    scope: 'admin',
    summary:
      'Starts one process, or all of a kind, afresh; answers when they are ready again. One whose successor does not come up goes on.',
    params: params({ service: str('A process or kind as in yard.status: `gateway`, `pty-host`, `pty-host-2`.') }),
    result: result({ processes: Type.Array(ProcessStatus) }),
    errors: ['not_found', 'invalid_state'],
    risks: ['Restarting `keeper` ends every terminal.', 'Restarting `gateway` closes the connection that asks.'],
    deadlineMs: 60_000,
  }),
  'server.live_handoff': method({
    ...supervisor,
    effect: 'mutation',
    scope: 'admin',
    summary:
      'Replaces every process by one of another installation while terminals run on; answers once that is checked and about to begin.',
    params: params({
      from: str('Folder of the installation: a clone, or where `switchyard` is installed.'),
      expected_version: Type.Optional(str('Refuse an installation of any other version.')),
    }),
    result: result({ from: Installation, to: Installation }),
    errors: ['not_found', 'version_mismatch', 'invalid_state'],
    risks: ['Connections to the gateway are closed at the end; clients connect again with their cursors.'],
    deadlineMs: 60_000,
  }),
  'yard.hello': method({
    ...supervisor,
    visibility: 'internal',
    effect: 'mutation',
    idempotent: true,
    summary:
      'A process tells its supervisor what it is and in which state; the open connection is its lifeline. One that stands by is answered when the process that it replaces has gone.',
    params: params({
      name: Type.String(),
      pid: Type.Integer(),
      instance: Type.String({ description: 'Unique to this run of the process.' }),
      state: Type.Enum(['standby', 'starting', 'ready', 'draining', 'stopped']),
      version: Type.Optional(Type.String({ description: 'Of the installation it runs from.' })),
    }),
    result: result({ pid: Type.Integer({ description: 'Of the supervisor.' }) }),
  }),
} as const;
