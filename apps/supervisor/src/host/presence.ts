import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, connectBus, type Log } from '@switchyard/bus';
import { type Params, SwitchyardError } from '@switchyard/protocol';
import type { BusAddress } from '@switchyard/service/bus-file';
import type { YardBus } from '../serve-on-bus.js';

/** The yard answers in milliseconds; a link that is slower than this is as good as cut. */
const ANSWER_MS = 5000;
/** While the yard does not answer: soon enough that a person who has mended the link need not wait. */
const RETRY_MS = 1000;
/** While it refuses us: that ends when somebody there does something. */
const REFUSED_RETRY_MS = 10_000;
const INSTANCE_BYTES = 6;
/** Last words must not hold up who stops us. */
const LEAVE_MS = 1000;

/** The yard was reached and does not let us in. */
const REFUSALS: ReadonlySet<string> = new Set([
  'host_identity_changed',
  'host_name_taken',
  'not_found',
  'version_mismatch',
]);

export interface PresenceParts {
  readonly address: BusAddress;
  /** Our name in the yard. */
  readonly host: string;
  readonly identity: string;
  readonly facts: () => Omit<Params<'host.present'>, 'identity' | 'instance'>;
  readonly log: Log;
  /** The yard has let us in (again): what serves it may run. */
  readonly onAccepted: () => void;
  /** It does not let us in: nothing of ours may answer in our name. Terminals run on. */
  readonly onRefused: (error: SwitchyardError) => void;
}

/** Says to the yard that this machine is there, again and again, from the first time on that it can be reached. */
export class HostPresence implements YardBus {
  /** Nothing of this machine is asked through the bus by its own supervisor. */
  readonly bus = undefined;
  readonly eventsWaiting = 0;
  readonly #parts: PresenceParts;
  readonly #instance = randomBytes(INSTANCE_BYTES).toString('hex');
  readonly #leaving = new AbortController();
  readonly #running: Promise<void>;
  #wake: (() => void) | undefined;
  #accepted: boolean | undefined;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#leaving.signal.aborted) parts.log.error({ err: error }, 'the yard cannot be told that we are here');
    });
  }

  /** What happens to processes here stands in the log of this machine. */
  tell(): void {}

  async close(): Promise<void> {
    this.#leaving.abort();
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { address, host, log } = this.#parts;
    const { signal } = this.#leaving;
    const bus = await connectBus({ ...address, host, service: 'supervisor', address: host, log, signal });
    // A link that is back need not wait for the next turn.
    bus.onReconnect(() => this.#wake?.());
    try {
      while (!signal.aborted) await this.#pause(await this.#present(bus));
      await this.#leave(bus);
    } finally {
      await bus.close();
    }
  }

  /** @returns milliseconds until the next time */
  async #present(bus: Bus): Promise<number> {
    const { facts, identity, log } = this.#parts;
    try {
      const said = { ...facts(), identity, instance: this.#instance };
      const { again_in_ms } = await bus.call('host.present', said, { timeoutMs: ANSWER_MS });
      this.#take(undefined);
      return again_in_ms;
    } catch (error) {
      if (!(error instanceof SwitchyardError)) throw error;
      if (REFUSALS.has(error.code)) {
        this.#take(error);
        return REFUSED_RETRY_MS;
      }
      log.debug({ err: error }, 'the yard did not answer');
      return RETRY_MS;
    }
  }

  #take(refusal: SwitchyardError | undefined): void {
    const accepted = refusal === undefined;
    if (accepted === this.#accepted) return;
    this.#accepted = accepted;
    const { onAccepted, onRefused, log, host } = this.#parts;
    if (refusal === undefined) {
      log.info({ host }, 'joined the yard');
      onAccepted();
      return;
    }
    log.error({ host, code: refusal.code }, `the yard does not let us in: ${refusal.message}`);
    onRefused(refusal);
  }

  async #leave(bus: Bus): Promise<void> {
    if (this.#accepted !== true || !bus.connected) return;
    await bus.call('host.leave', { instance: this.#instance }, { timeoutMs: LEAVE_MS }).catch((error: unknown) => {
      // Without it the yard notices by our silence.
      this.#parts.log.info({ err: error }, 'the yard could not be told that we leave');
    });
  }

  async #pause(ms: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await delay(ms, undefined, { signal: woken.signal }).catch(() => undefined);
    this.#wake = undefined;
  }
}
