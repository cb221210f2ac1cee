import { method } from '../define.js';
import { bool, int, opt, params, result, str, strings, stringsOrNone } from '../params.js';
import { Type } from '../schema.js';
import { HOST_NAME, HostCredentials, MOST_PTY_HOSTS } from './fleet.js';
import { nullable } from './shapes.js';

const MOST_LABELS = 32;

export const HOST_STATES = ['connecting', 'online', 'draining', 'unreachable', 'retired'] as const;

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;
const host = str('Name of the host.', { maxLength: 32 });
const labels = 'Words to choose hosts by, e.g. `gpu` or `arm64`.';

const Load = Type.Object(
  {
    cpus: Type.Integer(),
    load_1m: Type.Number({ description: 'Processes that want to run, over the last minute.' }),
    memory_bytes: Type.Integer(),
    memory_free_bytes: Type.Integer(),
  },
  { description: 'Of the whole machine, as it last said.' },
);

export const HostInfo = {
  host: Type.String({ description: 'Its name.' }),
  state: Type.Enum([...HOST_STATES], {
    description:
      'connecting: its terminals are not known yet; draining: takes no new ones; unreachable: nothing was heard of it ' +
      'for some seconds, what runs there runs on; retired: waits for its last terminals to end.',
  }),
  since: Type.Number({ description: 'When it became so, Unix milliseconds.' }),
  draining: Type.Boolean({ description: 'Also while it is unreachable.' }),
  last_contact_at: nullable(Type.Number(), 'Unix milliseconds; null: it has never been here.'),
  labels: Type.Array(Type.String()),
  version: nullable(Type.String(), 'Of Switchyard there; null: not known yet.'),
  platform: nullable(Type.String(), 'Operating system and processor, e.g. `linux x64`.'),
  pty_hosts: Type.Integer(),
  detectors: Type.Boolean({ description: 'Whether it may judge screens of the whole yard.' }),
  load: nullable(Load, 'null: not known.'),
  terminals: Type.Integer({ description: 'Surfaces that it has, by the model.' }),
  identity: nullable(Type.String(), 'What the machine is known again by; null: it has never been here.'),
  refused: nullable(
    Type.Object({ identity: Type.String(), code: Type.String(), at: Type.Number() }),
    'The last machine that came under this name and was not let in; null: none was since its credentials were made.',
  ),
};
const Host = Type.Object(HostInfo);

export const hostMethods = {
  'host.list': method({
    ...owner,
    effect: 'query',
    summary: 'The machines of the yard, its own (`local`) first, then by name.',
    params: params({}),
    result: result({ hosts: Type.Array(Host) }),
  }),
  'host.get': method({
    ...owner,
    effect: 'query',
    summary: 'One machine of the yard, as it is known.',
    params: params({ host }),
    result: result(HostInfo),
    errors: ['not_found'],
  }),
  'host.status': method({
    ...owner,
    effect: 'query',
    summary: 'One machine of the yard, asked now.',
    params: params({ host }),
    result: result({ ...HostInfo, answers_ms: Type.Number({ description: 'How long its answer took.' }) }),
    errors: ['not_found'],
  }),
  'host.add': method({
    ...owner,
    effect: 'mutation',
    scope: 'admin',
    summary: 'Makes a place for a machine and the credentials with which it joins. They are shown this once.',
    params: params({
      host: str('Its name: small letters, digits, `-`.', { pattern: HOST_NAME }),
      labels: opt(strings(labels, { maxItems: MOST_LABELS })),
      pty_hosts: opt(int('Processes there that follow terminals. Default 1.', { minimum: 1, maximum: MOST_PTY_HOSTS })),
      detectors: opt(bool('Let it judge screens of the whole yard, and so see them. Default false.')),
    }),
    result: result({
      ...HostInfo,
      credentials: HostCredentials,
    }),
    errors: ['already_exists', 'fleet_not_configured'],
    risks: ['Whoever has the credentials can run the terminals that are placed on that host.'],
  }),
  'host.renew': method({
    ...owner,
    effect: 'mutation',
    scope: 'admin',
    summary: 'New credentials for a host: for a machine that takes the place of another, or when the old may be known.',
    params: params({ host }),
    result: result({ ...HostInfo, credentials: HostCredentials }),
    errors: ['fleet_not_configured', 'invalid_state', 'not_found'],
    risks: [
      'The machine that has the old credentials is cut off at once; its programs run on, unknown.',
      'Surfaces of the host whose terminals the next machine does not have are started again by the restore policy.',
    ],
  }),
  'host.label': method({
    ...owner,
    effect: 'mutation',
    scope: 'admin',
    idempotent: true,
    summary: 'Gives a machine other labels.',
    params: params({ host, labels: stringsOrNone(labels) }),
    result: result(HostInfo),
    errors: ['not_found', 'invalid_state'],
  }),
  'host.drain': method({
    ...owner,
    effect: 'mutation',
    scope: 'admin',
    idempotent: true,
    summary: 'Has a machine take no new terminals, or again (`off`). What runs there runs on.',
    params: params({ host, off: opt(bool('End it. Default false.')) }),
    result: result(HostInfo),
    errors: ['not_found', 'invalid_state'],
  }),
  'host.remove': method({
    ...owner,
    effect: 'mutation',
    scope: 'admin',
    summary: 'Ends the credentials of a machine and forgets it. Refused while it has surfaces.',
    params: params({
      host,
      force: opt(bool('Close its surfaces first; when it is unreachable its programs run on, unknown. Default false.')),
    }),
    result: result({
      removed: Type.Boolean({ description: 'false: it is retired, and removed when the last has ended.' }),
    }),
    errors: ['not_found', 'invalid_state', 'host_in_use'],
    risks: ['With `force` the programs on it end.'],
  }),
  'host.present': method({
    ...owner,
    visibility: 'internal',
    fromHosts: true,
    effect: 'mutation',
    idempotent: true,
    summary: 'A machine says that it is there, before it serves anything and then again and again.',
    params: params({
      identity: str('Made once by the machine, and kept.', { maxLength: 64 }),
      instance: str('Of this run of its supervisor.', { maxLength: 64 }),
      version: str('Of Switchyard there.'),
      bus_protocol: int('Which form of the bus it speaks.'),
      platform: str('Operating system and processor.'),
      pty_hosts: int('How many it runs.', { minimum: 1, maximum: MOST_PTY_HOSTS }),
      home: str('Folder in which shells start.'),
      shell: str('The shell of its user.'),
      env: Type.Record(Type.String(), Type.String(), { description: 'What its terminals find in their environment.' }),
      load: Load,
    }),
    result: result({
      again_in_ms: Type.Integer({ description: 'When it should say so again, at the latest.' }),
    }),
    errors: ['not_found', 'host_identity_changed', 'host_name_taken', 'version_mismatch', 'invalid_state'],
  }),
  'host.leave': method({
    ...owner,
    visibility: 'internal',
    fromHosts: true,
    effect: 'mutation',
    idempotent: true,
    summary: 'A machine says that it goes away in order.',
    params: params({ instance: str('As in `host.present`.', { maxLength: 64 }) }),
    result: result({}),
  }),
} as const;
