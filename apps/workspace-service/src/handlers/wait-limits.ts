import { OWNER_MARGIN_MS } from '@switchyard/protocol';
import type { Call } from '../yard-state.js';

export interface WaitLimits {
  readonly timeoutMs: number;
  readonly askedMs: number;
  readonly signal: AbortSignal;
  /** When the caller asked, Unix milliseconds: also of a call that was sent again after our restart. Never too early. */
  readonly calledAt: number;
}

/** How long a call may still wait. A call that is sent again keeps its deadline, so it has only what is left. */
export function waitLimits({ deadline, signal }: Call, askedMs: number): WaitLimits {
  const left = Math.max(0, Math.ceil(deadline - performance.now()));
  // Compared with facts that have a date.
  const calledAt = Math.floor(Date.now() + deadline - performance.now()) - OWNER_MARGIN_MS - askedMs;
  return { timeoutMs: Math.min(askedMs, left), askedMs, signal, calledAt };
}

/** Whether the call was made to an earlier run of this service. */
export const calledBefore = (startedAt: number, { calledAt }: WaitLimits): boolean => calledAt < startedAt;
