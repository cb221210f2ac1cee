import { method } from '../define.js';
import { params, result } from '../params.js';
import { Type } from '../schema.js';

/** A token of the bus, which reads as the first part of a machine's name. `local` is the yard's own machine. */
export const HOST_NAME = '^(?!local$)[a-z0-9][a-z0-9-]{0,31}$';
/** Each follows a part of the terminals; more than the cores of a large machine help nobody. */
export const MOST_PTY_HOSTS = 64;

/** How a machine of the fleet is called. */
export const HostName = Type.String({ pattern: HOST_NAME });
const PtyHosts = Type.Integer({ minimum: 1, maximum: MOST_PTY_HOSTS, description: 'How many pty-hosts it runs.' });
const Detectors = Type.Boolean({ description: 'Whether it may run detectors: they see every screen of the yard.' });

/** What a machine needs to join the yard, and all it is trusted with. */
export const HostCredentials = Type.Object(
  {
    version: Type.Literal(1),
    name: HostName,
    space: Type.String({ pattern: '^[A-Za-z0-9_-]+$', description: 'Of the yard, on the bus.' }),
    urls: Type.Array(Type.String({ pattern: '^tls://[^\\s/]+$' }), {
      minItems: 1,
      description: 'Where the yard can be reached; any will do.',
    }),
    seed: Type.String({
      pattern: '^SU[A-Z2-7]{56}$',
      description: 'The secret half of its key, which nobody else has.',
    }),
    ca: Type.String({
      pattern: '^-----BEGIN CERTIFICATE-----\\n',
      description: 'By which the yard is told from others.',
    }),
    pty_hosts: PtyHosts,
    detectors: Detectors,
  },
  { additionalProperties: false },
);

const internal = { owner: 'supervisor', visibility: 'internal', effect: 'mutation', idempotent: true } as const;

/** Who of the fleet may connect. workspace-service decides it; the supervisor, which runs the brokers, carries it out. */
export const fleet = {
  'fleet.admit': method({
    ...internal,
    summary:
      'Makes a key for a machine and lets it in; an earlier key of that machine is void. In force when it answers.',
    params: params({ name: HostName, pty_hosts: PtyHosts, detectors: Detectors }),
    result: result({ credentials: HostCredentials }),
    errors: ['fleet_not_configured'],
  }),
  'fleet.expel': method({
    ...internal,
    summary: 'Cuts a machine off and forgets its key. In force when it answers.',
    params: params({ name: HostName }),
    result: result({ expelled: Type.Boolean({ description: 'false: it had not been admitted.' }) }),
    errors: ['fleet_not_configured'],
  }),
} as const;
