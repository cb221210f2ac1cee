import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceEnv } from '@switchyard/config';
import { SERVICE_ENV } from '@switchyard/config/service-env';
import type { NodeProgram } from '@switchyard/service/exec';
import { KeeperFault } from '../fault.js';
import type { FollowerConnection } from '../follower-connection.js';
import type { KeeperLog } from '../logger.js';
import type { Registry } from '../registry.js';
import { checkSuccessor } from './check.js';
import type { Bequest } from './inheritance.js';
import { descriptorsIn, type HandoffRecord } from './record.js';
import { writeRecordFile } from './record-file.js';

/** Followers finish what they are sending and are answered; one that does not is cut off, and asks again. */
const FAREWELL_MS = 500;
/** Programs that have just ended are seen off: their last output is a few milliseconds of work. */
const SETTLE_MS = 3000;
const LOOK_MS = 2;
/** Reading the records of a thousand terminals, on a busy machine. */
const ADOPT_MS = 30_000;

export interface HandingOverDeps {
  readonly env: ServiceEnv;
  readonly program: NodeProgram;
  readonly registry: Registry;
  readonly connections: ReadonlySet<FollowerConnection>;
  /** Descriptor of the listening socket. */
  readonly socketFd: () => number;
  /** Free for a moment, beside the socket. */
  readonly recordPath: string;
  readonly log: KeeperLog;
}

/** Gives the terminals to the keeper of another installation, which goes on in this very process. */
export class HandingOver {
  readonly #deps: HandingOverDeps;
  #busy = false;

  constructor(deps: HandingOverDeps) {
    this.#deps = deps;
  }

  /**
   * Returns only by failing; then everything is as before, but that followers may have been asked to connect again.
   * @param asking waits for the answer, which on success is the end of its connection
   * @throws KeeperFault `version_mismatch` (the other cannot take over), `invalid_state` (not now)
   */
  async handOver(to: NodeProgram, asking: FollowerConnection): Promise<never> {
    if (this.#busy) throw new KeeperFault('invalid_state', 'A handoff is under way.');
    this.#busy = true;
    try {
      const { env, registry, log } = this.#deps;
      const answer = await checkSuccessor(to, env, registry.handoffRecord());
      log.info({ ...to, software: answer.software }, 'handing the terminals over');
      const exec = await import('@switchyard/service/exec');
      await this.#farewell(asking);
      await this.#settled();
      return this.#go(to, exec.handOver);
    } finally {
      this.#busy = false;
      for (const connection of this.#deps.connections) if (connection !== asking) connection.close();
    }
  }

  /** Asks followers to send nothing more, and answers what they have sent. */
  async #farewell(asking: FollowerConnection): Promise<void> {
    const others = () => [...this.#deps.connections].filter((each) => each !== asking && each.knowsHandoff);
    for (const each of [...others(), asking]) each.event({ ev: 'handoff' });
    const until = performance.now() + FAREWELL_MS;
    while (others().some((each) => !each.finished) && performance.now() < until) await delay(LOOK_MS);
  }

  async #settled(): Promise<void> {
    const until = performance.now() + SETTLE_MS;
    for (let busy = this.#deps.registry.unsettled(); busy !== undefined; busy = this.#deps.registry.unsettled()) {
      if (performance.now() > until) throw new KeeperFault('invalid_state', `No handoff now: ${busy}.`);
      await delay(LOOK_MS);
    }
  }

  /** From here to the end nothing else runs in this process: what terminals print waits in the kernel. */
  #go(to: NodeProgram, handOver: typeof import('@switchyard/service/exec')['handOver']): never {
    const { env, program, registry, socketFd, recordPath, log } = this.#deps;
    const record: HandoffRecord = registry.handoffRecord();
    const bequest: Bequest = {
      record: writeRecordFile(recordPath, record),
      socket: socketFd(),
      software: record.software,
    };
    try {
      return handOver({
        to,
        from: program,
        state: bequest,
        env: { ...process.env, [SERVICE_ENV]: JSON.stringify(env) },
        fds: [bequest.record, bequest.socket, ...descriptorsIn(record)],
        withinMs: ADOPT_MS,
      });
    } catch (error) {
      closeSync(bequest.record);
      log.error({ ...to, reason: String(error) }, 'the handoff was refused by the system');
      throw new KeeperFault('invalid_state', `The system refuses the handoff: ${String(error)}`);
    }
  }
}
