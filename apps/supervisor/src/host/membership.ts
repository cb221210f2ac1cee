import type { Log } from '@switchyard/bus';
import type { SwitchyardError } from '@switchyard/protocol';
import type { BusAddress } from '@switchyard/service/bus-file';
import type { HostCredentials } from '@switchyard/service/host-credentials';
import type { ProcessSet } from '../process-set.js';
import { hostFacts } from './host-facts.js';
import { HostPresence } from './presence.js';

/** How long a start waits for the yard before it goes on in the background. */
const FIRST_CONTACT_MS = 10_000;
/** How the yard is called among what was not ready in time. */
export const THE_YARD = 'the yard';

export interface MembershipParts {
  readonly credentials: HostCredentials;
  readonly identity: string;
  readonly address: BusAddress;
  readonly env: NodeJS.ProcessEnv;
  readonly processes: ProcessSet;
  readonly log: Log;
}

/** A machine's part in a yard: its processes serve the yard while that lets it in, and only then. */
export class Membership {
  readonly presence: HostPresence;
  readonly #parts: MembershipParts;
  readonly #first: Promise<SwitchyardError | undefined>;
  readonly #aborted = new AbortController();

  constructor(parts: MembershipParts) {
    this.#parts = parts;
    const { credentials, identity, address, env, log } = parts;
    let settle: (refusal: SwitchyardError | undefined) => void = () => undefined;
    this.#first = new Promise((resolve) => {
      settle = resolve;
    });
    this.presence = new HostPresence({
      address,
      host: credentials.name,
      identity,
      facts: () => ({ ...hostFacts(env), pty_hosts: credentials.pty_hosts }),
      log,
      onAccepted: () => {
        settle(undefined);
        this.#startAll();
      },
      onRefused: (error) => {
        settle(error);
        this.#stopServing();
      },
    });
  }

  /**
   * Waits for the yard's first word.
   *
   * @returns false when it could not be reached yet: that goes on in the background
   * @throws what the yard refuses us with
   */
  async firstContact(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), FIRST_CONTACT_MS);
    });
    const answer = await Promise.race([this.#first, late]);
    clearTimeout(timer);
    if (answer === 'late') return false;
    if (answer !== undefined) throw answer;
    return true;
  }

  #startAll(): void {
    this.#parts.processes.start(this.#aborted.signal).then(
      (late) => late.length > 0 && this.#parts.log.warn({ late }, 'not ready yet'),
      (error: unknown) => this.#parts.log.error({ err: error }, 'the processes could not be started'),
    );
  }

  /** Another machine answers in our name. The keeper stays: it has the terminals. */
  #stopServing(): void {
    const serving = this.#parts.processes.all.filter(({ spec }) => spec.service !== 'keeper');
    for (const process of serving) {
      process.stop().catch((error: unknown) => {
        this.#parts.log.error({ err: error, process: process.spec.name }, 'could not be stopped');
      });
    }
  }

  async close(): Promise<void> {
    this.#aborted.abort();
    await this.presence.close();
  }
}
