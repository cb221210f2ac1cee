import type { AgentStatus } from '@switchyard/agents';
import { SwitchyardError } from '@switchyard/protocol';
import type { Agents, StatusChange } from './agents.js';
import type { Id } from './domain/entities.js';
import type { Departure, Waits } from './waits.js';

/** The largest delay a timer of Node takes. */
const LONGEST_TIMER_MS = 2_147_483_647;

export interface Awaited {
  readonly status: AgentStatus;
  /** false: it was so already. */
  readonly waited: boolean;
}

export interface WatchLimits {
  /** Milliseconds until `timeout`. */
  readonly timeoutMs: number;
  /** What the error of the time-out says the limit was. */
  readonly askedMs: number;
  readonly signal: AbortSignal;
  /** What else the error of the time-out tells. */
  readonly facts?: Record<string, unknown>;
  /** The surface has left the tree. */
  readonly onDeparture: (departure: Departure) => Error;
}

/**
 * Waits for what `accepts` says of the agent in a surface. The first look and the beginning of the watch are one step, so
 * that no change in between is missed.
 *
 * @param accepts is asked about the present status (change is null) and after every change; what it throws ends the wait
 * @throws `timeout`, `cancelled`, what `onDeparture` makes
 */
export function untilAgent(
  { agents, waits }: { readonly agents: Agents; readonly waits: Waits },
  surfaceId: Id,
  accepts: (status: AgentStatus, change: StatusChange | null) => boolean,
  limits: WatchLimits,
): Promise<Awaited> {
  return new Promise((resolve, reject) => {
    const present = agents.statusOf(surfaceId);
    if (accepts(present, null)) {
      resolve({ status: present, waited: false });
      return;
    }
    const departed = waits.watch(surfaceId);
    const ends: (() => void)[] = [() => departed.end()];
    const end = (settle: () => void) => {
      for (const stop of ends) stop();
      settle();
    };
    const fail = (error: unknown) => end(() => reject(error));
    ends.push(
      agents.watch(surfaceId, (change) => {
        try {
          if (accepts(change.now, change)) end(() => resolve({ status: change.now, waited: true }));
        } catch (error) {
          fail(error);
        }
      }),
      onAbort(departed.signal, () => fail(limits.onDeparture(departed.departure ?? 'closed'))),
      onAbort(limits.signal, () => fail(new SwitchyardError('cancelled', 'The request was withdrawn'))),
      after(limits.timeoutMs, () => {
        const { state, question } = agents.statusOf(surfaceId);
        const facts = { timeout_ms: limits.askedMs, state, question, ...limits.facts };
        fail(new SwitchyardError('timeout', 'The agent did not get there in time', facts));
      }),
    );
    if (limits.signal.aborted) fail(new SwitchyardError('cancelled', 'The request was withdrawn'));
  });
}

function after(ms: number, fn: () => void): () => void {
  const timer = setTimeout(fn, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  return () => clearTimeout(timer);
}

function onAbort(signal: AbortSignal, fn: () => void): () => void {
  signal.addEventListener('abort', fn, { once: true });
  return () => signal.removeEventListener('abort', fn);
}
