import type { ErrorCode } from './errors.js';
import type { Static, TObject, TSchema } from './schema.js';
import { Type } from './schema.js';

/** The processes that answer methods. */
export const SERVICES = [
  'gateway',
  'workspace-service',
  'pty-host',
  'detector',
  'git-service',
  'notifier',
  'supervisor',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/**
 * What a method does, which decides what may happen when its service dies with the request in its hands:
 * a query or wait is sent again, a mutation answers `outcome_unknown` unless it carries a `request_id`.
 */
export type Effect = 'query' | 'wait' | 'mutation';
export type Tier = 'stable' | 'alpha' | 'experimental';
/** What a caller must be allowed to do. */
export type Scope = 'none' | 'read' | 'write' | 'admin';

export interface MethodSpec<O extends ServiceName, P extends TObject, R extends TSchema> {
  readonly owner: O;
  /** `internal` methods live on the bus between our own processes; the gateway does not let clients call them. */
  readonly visibility: 'public' | 'internal';
  /**
   * Whether the broker lets processes on other machines of the fleet call it: all of them, or only those that have
   * detectors, which see every screen anyway. Whoever serves it must not believe what they say of others.
   */
  readonly fromHosts: boolean | 'detectors';
  readonly summary: string;
  readonly params: P;
  readonly result: R;
  /** Besides COMMON_ERRORS, which any method can answer. */
  readonly errors: readonly ErrorCode[];
  readonly effect: Effect;
  readonly scope: Scope;
  /** A caller that may act on nothing but its own surface may call it, for that surface. */
  readonly selfService: boolean;
  readonly tier: Tier;
  /** Repeating the call has no further effect. Mutations that are not take a `request_id`. */
  readonly idempotent: boolean;
  /**
   * The parameter under which a repeat is safe: it is answered from the first run. `request_id` for every mutation of
   * clients, or one of the method's own besides it; null: there is none.
   */
  readonly repeatKey: string | null;
  /** What a careful caller should know before calling. */
  readonly risks: readonly string[];
  /** Contract version that brought the method. */
  readonly since: string;
  /** May move window or workspace focus (programa-api §6.2). */
  readonly focusIntent: boolean;
  /** Milliseconds until `timeout`, where the caller names none. */
  readonly deadlineMs: number;
  /** The parameter in which the caller names how long it will wait, if the method has one. */
  readonly timeoutParam: string | null;
}

type Given<O extends ServiceName, P extends TObject, R extends TSchema> = Pick<
  MethodSpec<O, P, R>,
  'owner' | 'summary' | 'params' | 'result' | 'effect'
> &
  Partial<Omit<MethodSpec<O, P, R>, 'owner' | 'summary' | 'params' | 'result' | 'effect'>>;

const CLOSED = { additionalProperties: false };

/** Long enough for a spawn or a large repository, short enough that a script notices. */
const DEFAULT_DEADLINE_MS = 15_000;

/** Declares one method. Everything not given has the safe default shown here. */
export function method<const O extends ServiceName, P extends TObject, R extends TSchema>(
  given: Given<O, P, R>,
): MethodSpec<O, P, R> {
  const isRepeatable = given.effect === 'mutation' && given.visibility !== 'internal';
  const withKey = isRepeatable
    ? (Type.Object({ ...given.params.properties, request_id: RequestId }, CLOSED) as unknown as P)
    : given.params;
  return {
    visibility: 'public',
    fromHosts: false,
    errors: [],
    scope: given.effect === 'mutation' ? 'write' : 'read',
    selfService: false,
    tier: 'stable',
    idempotent: given.effect !== 'mutation',
    repeatKey: isRepeatable ? 'request_id' : null,
    risks: [],
    since: '1.0',
    focusIntent: false,
    deadlineMs: DEFAULT_DEADLINE_MS,
    timeoutParam: null,
    ...given,
    params: withKey,
  };
}

const RequestId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'Chosen by the caller; a repeat with the same value is answered from the first run.',
  }),
);

export type AnyMethod = MethodSpec<ServiceName, TObject, TSchema>;
export type ContractShape = Record<string, AnyMethod>;

export type ParamsOf<M extends AnyMethod> = Static<M['params']>;
export type ResultOf<M extends AnyMethod> = Static<M['result']>;
