import type { ErrorCode } from '@switchyard/protocol';

/** Finished calls whose ids are remembered: at thousands of calls a second still longer than any reconnect. */
const MAX_FINISHED = 8192;
/** A kept reply is there for a caller that lost it with its connection; large ones are cheaper to compute again. */
const MAX_KEPT_REPLY_BYTES = 256 * 1024;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** A reply in the form in which it was sent. */
export interface KeptReply {
  readonly error: ErrorCode | undefined;
  readonly bytes: Uint8Array;
}

export type Seen = { state: 'running' } | { state: 'finished'; reply: KeptReply | undefined };

interface Finished {
  readonly at: number;
  reply: KeptReply | undefined;
}

/**
 * The ids of calls that a service has started, so that a call that is sent again joins the first instead of running
 * twice. Bounded in number and bytes; knows how far back its memory is complete.
 */
export class RecentCalls {
  readonly #running = new Set<string>();
  readonly #finished = new Map<string, Finished>();
  #keptBytes = 0;
  #completeSince: number;

  /** @param now milliseconds, monotonic */
  constructor(now: number) {
    this.#completeSince = now;
  }

  seen(callId: string): Seen | undefined {
    if (this.#running.has(callId)) return { state: 'running' };
    const finished = this.#finished.get(callId);
    return finished && { state: 'finished', reply: finished.reply };
  }

  start(callId: string): void {
    this.#forget(callId);
    this.#running.add(callId);
  }

  finish(callId: string, reply: KeptReply, now: number): void {
    this.#running.delete(callId);
    const keep = reply.bytes.length <= MAX_KEPT_REPLY_BYTES ? reply : undefined;
    this.#finished.set(callId, { at: now, reply: keep });
    this.#keptBytes += keep?.bytes.length ?? 0;
    this.#trim();
  }

  /** The call ended before its handler was started: it may be sent again as if it had never come. */
  drop(callId: string): void {
    this.#running.delete(callId);
  }

  /** For so many milliseconds back, a call that is not here was not started here. */
  completeFor(now: number): number {
    return now - this.#completeSince;
  }

  #trim(): void {
    for (const [callId, finished] of this.#finished) {
      if (this.#finished.size <= MAX_FINISHED && this.#keptBytes <= MAX_KEPT_BYTES) return;
      this.#forget(callId);
      this.#completeSince = Math.max(this.#completeSince, finished.at);
    }
  }

  #forget(callId: string): void {
    const finished = this.#finished.get(callId);
    if (finished === undefined) return;
    this.#keptBytes -= finished.reply?.bytes.length ?? 0;
    this.#finished.delete(callId);
  }
}
