import { randomUUID } from 'node:crypto';
import type { Bus, HandlerContext } from '@switchyard/bus';
import { type ErrorCode, fail, type Result, SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Sending } from '../adapters/review-comments.js';
import type { ReviewDatabase } from '../adapters/review-database.js';
import type { Review } from '../adapters/reviews-table.js';
import { messageOf } from '../domain/review/message.js';
import { onBehalfOf } from '../git-kit.js';

type Prompted = Result<'agent.prompt'>;
type Receipt = Prompted['receipt'];

/** After these the call may still be under way, or have been carried out: whether anything was typed is not known. */
const UNSETTLED: ReadonlySet<ErrorCode> = new Set([
  'cancelled',
  'connection_closed',
  'internal_error',
  'outcome_unknown',
  'service_unavailable',
  'timeout',
]);

export interface SendOptions {
  readonly preamble: string | undefined;
  /** Also while a dialog is open, and anew what may have arrived. */
  readonly force: boolean;
}

/** What has been sent; `prompted` null: there was nothing to send. */
export interface Sent {
  readonly count: number;
  readonly prompted: Prompted | null;
}

/**
 * Gives comments to the prompt path, each at most once: the message is stored, with an id under which the prompt path
 * types it once, before anybody is asked to type it, and its comments go only when it is known to have arrived.
 */
export class Sender {
  readonly #bus: Bus;
  readonly #database: ReviewDatabase;
  readonly #log: Log;

  constructor(bus: Bus, database: ReviewDatabase, log: Log) {
    this.#bus = bus;
    this.#database = database;
    this.#log = log;
  }

  /**
   * Sends the comments of a review. What was under way before, as when a service was killed, is brought to its end first.
   *
   * @param done part of the transaction that removes the last of the comments
   * @throws what agent.prompt answers; `agent_not_ready` also when the text stands in the composer, not submitted
   */
  async send(
    { surfaceId, sourceId }: Review,
    { preamble, force }: SendOptions,
    ctx: HandlerContext,
    done: (sent: Sent) => void,
  ): Promise<Sent> {
    const { comments } = this.#database;
    let sent: Sent = { count: 0, prompted: null };
    const earlier = comments.sendingOf(surfaceId);
    if (earlier) {
      if (force && (await this.#isLost(earlier))) this.#database.tx(() => comments.cancelSending(earlier));
      else sent = await this.#deliver(earlier, force, ctx, () => undefined);
    }
    const pending = comments.of(surfaceId);
    if (pending.length === 0) {
      this.#database.tx(() => done(sent));
      return sent;
    }
    const text = messageOf(pending, preamble);
    const sending = { surfaceId, id: `review ${randomUUID()}`, targetId: sourceId, text, commentCount: pending.length };
    this.#database.tx(() => comments.beginSending(sending));
    return this.#deliver(sending, force, ctx, done, sent.count);
  }

  /** Looks after messages that were under way when this service ended: those that arrived are done with. */
  async settle(): Promise<void> {
    for (const sending of this.#database.comments.sendings()) {
      const receipt = await this.#receiptOf(sending);
      if (receipt !== null && hasArrived(receipt)) this.#database.tx(() => this.#database.comments.endSending(sending));
    }
  }

  async #deliver(
    sending: Sending,
    force: boolean,
    ctx: HandlerContext,
    done: (sent: Sent) => void,
    before = 0,
  ): Promise<Sent> {
    const prompted = await this.#prompt(sending, force, ctx);
    const { receipt } = prompted;
    if (!hasArrived(receipt)) {
      const facts = { surface_id: sending.targetId, receipt };
      return fail('agent_not_ready', 'The comments stand in the composer, not submitted; see `force`', facts);
    }
    const sent = { count: before + sending.commentCount, prompted };
    this.#database.tx(() => {
      this.#database.comments.endSending(sending);
      done(sent);
    });
    return sent;
  }

  async #prompt(sending: Sending, force: boolean, ctx: HandlerContext): Promise<Prompted> {
    const { id, targetId, text } = sending;
    const params = { surface_id: targetId, text, client_message_id: id, wait: false, working_grace_ms: 0, force };
    const call = onBehalfOf(ctx);
    try {
      return await this.#bus.call('agent.prompt', params, { ...call, requestId: `agent.prompt ${id}` });
    } catch (error) {
      await this.#refused(sending, error);
      throw error;
    }
  }

  /** When nothing was typed the comments are as they were; else the next call goes on with the same message. */
  async #refused(sending: Sending, error: unknown): Promise<void> {
    if (!(error instanceof SwitchyardError) || UNSETTLED.has(error.code)) return;
    try {
      if ((await this.#receiptOf(sending)) !== null) return;
      this.#database.tx(() => this.#database.comments.cancelSending(sending));
    } catch (reason) {
      this.#log.warn({ err: reason, client_message_id: sending.id }, 'what became of a message is asked later');
    }
  }

  /** Whether nobody types the message any more, although it is not known to have arrived. */
  async #isLost(sending: Sending): Promise<boolean> {
    const receipt = await this.#receiptOf(sending);
    return receipt === null || (receipt.outcome !== 'pending' && !hasArrived(receipt));
  }

  /** null: nothing was ever typed under this id. */
  async #receiptOf({ id }: Sending): Promise<Receipt | null> {
    try {
      return await this.#bus.call('agent.receipt', { client_message_id: id });
    } catch (error) {
      if (error instanceof SwitchyardError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

/** A program that is no agent gives no sign that Enter was taken: it was pressed, and that is all there is to know. */
const hasArrived = ({ outcome, agent }: Receipt): boolean =>
  outcome === 'delivered' || (outcome === 'not_submitted' && agent === null);
