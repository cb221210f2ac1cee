import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectClient } from '@switchyard/client';
import { copyInstallation, isAlive, processFacts, waitFor, type Yard } from '@switchyard/testing';
import type { Ledger } from './ledger.js';
import type { Action } from './plan.js';
import { pause } from './world.js';

/** A process that was killed is there again within this; the supervisor itself may be suspended for 20 s. */
const THERE_MS = 60_000;
/** Until all that was begun is done, and all is ready. */
const CALM_MS = 120_000;
/** A restart waits for the process to end, for 8 s, and then for it to be ready. */
const RESTART_MS = 90_000;
const STARTS = 3;
/** Of the installations that are changed between. */
const VERSIONS = ['0.1.1-chaos', '0.1.2-chaos'];

interface Found {
  readonly pid: number;
  readonly startTicks: number;
}

/** Does to the processes of a yard what a plan says, and sees to it that all of them live in the end. */
export class Saboteur {
  readonly #yard: Yard;
  readonly #ledger: Ledger;
  readonly #say: (line: string) => void;
  readonly #running = new Set<Promise<void>>();
  readonly #stopped = new Map<string, Found>();
  #starting: Promise<void> | undefined;
  #upgrades = 0;

  constructor(yard: Yard, ledger: Ledger, say: (line: string) => void) {
    this.#yard = yard;
    this.#ledger = ledger;
    this.#say = say;
  }

  /** Each action begins at its time, in the order of the plan; none waits for the end of another. */
  async run(plan: readonly Action[], until: AbortSignal): Promise<void> {
    const started = Date.now();
    for (const action of plan) {
      await pause(started + action.at - Date.now(), until);
      if (until.aborted) return;
      this.#say(`${(action.at / 1000).toFixed(1).padStart(6)} s  ${action.kind} ${action.target}`);
      this.#ledger.did('actions');
      const doing = this.#do(action).catch((error: unknown) => {
        this.#ledger.fault('processes lost', `${action.kind} ${action.target}: ${String(error)}`);
      });
      this.#running.add(doing);
      void doing.finally(() => this.#running.delete(doing));
    }
  }

  /** Whatever is suspended goes on; returns when every process of the yard is ready. */
  async calm(): Promise<void> {
    this.release();
    await Promise.all(this.#running);
    this.release();
    let last: unknown;
    const isWhole = async () => {
      const { processes, upgrade } = await this.#yard.status();
      last = [
        ...processes.filter(({ state }) => state !== 'ready'),
        ...(upgrade?.state === 'running' ? [upgrade] : []),
      ];
      return (last as unknown[]).length === 0;
    };
    await waitFor('every process is ready', isWhole, { timeoutMs: CALM_MS, seen: () => last }).catch((error: Error) => {
      this.#ledger.fault('processes lost', error.message);
    });
  }

  /** At the very end, too: nothing that was started may stay suspended. */
  release(): void {
    for (const target of [...this.#stopped.keys()]) this.#continue(target);
  }

  async #do({ kind, target }: Action): Promise<void> {
    switch (kind) {
      case 'kill':
        return target === 'supervisor'
          ? this.#killSupervisor()
          : void process.kill((await this.#find(target)).pid, 'SIGKILL');
      case 'stop':
        return this.#stop(target);
      case 'continue':
        return this.#continue(target);
      case 'restart':
        return this.#restart(target);
      case 'upgrade':
        return this.#upgrade();
    }
  }

  async #stop(target: string): Promise<void> {
    const found = await this.#find(target);
    this.#stopped.set(target, found);
    process.kill(found.pid, 'SIGSTOP');
  }

  /** Nothing to do for one that was killed meanwhile, or has not been suspended yet: then it is released in the end. */
  #continue(target: string): void {
    const found = this.#stopped.get(target);
    if (found === undefined) return;
    this.#stopped.delete(target);
    if (processFacts(found.pid)?.startTicks === found.startTicks) process.kill(found.pid, 'SIGCONT');
  }

  /** As a person does who finds the yard without its supervisor. */
  async #killSupervisor(): Promise<void> {
    const { pid } = await this.#find('supervisor');
    process.kill(pid, 'SIGKILL');
    await waitFor('the supervisor is gone', () => !isAlive(pid));
    this.#starting ??= this.#startAgain().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  async #startAgain(): Promise<void> {
    const said: string[] = [];
    for (let i = 0; i < STARTS; i++) {
      try {
        await this.#yard.cli('up', '--detach');
      } catch (error) {
        said.push(String(error));
      }
      if (this.#alive('supervisor') !== undefined) return;
    }
    throw new Error(`no supervisor after ${STARTS} starts: ${said.join('; ')}`);
  }

  async #restart(target: string): Promise<void> {
    const client = await waitFor('the supervisor', () => connectClient(this.#yard.paths.supervisorSocket), {
      timeoutMs: THERE_MS,
    });
    try {
      await client.call('yard.restart', { service: target }, { timeoutMs: RESTART_MS });
    } catch (error) {
      // The supervisor may be killed, or what is restarted wait for one that is suspended. Whether all is well shows in the end.
      this.#say(`          restart ${target}: ${(error as Error).message}`);
    } finally {
      client.close();
    }
  }

  /** To the one of two other installations that was not the last. What is broken meanwhile may make it fail, in order. */
  async #upgrade(): Promise<void> {
    const version = VERSIONS[this.#upgrades++ % VERSIONS.length] ?? '';
    const folder = join(this.#yard.dir, 'installations', version);
    if (!existsSync(folder)) copyInstallation(folder, version);
    const how = await this.#yard.cli('upgrade', '--from', folder).then(
      ({ stdout, stderr }) => stdout.trim() || stderr.trim(),
      (error: Error) => error.message,
    );
    this.#say(`          upgrade to ${version}: ${how}`);
  }

  #find(target: string): Promise<Found> {
    return waitFor(`${target} is there`, () => this.#alive(target), { timeoutMs: THERE_MS });
  }

  /** From the files that the yard keeps itself: it may be in no state to be asked. */
  #alive(target: string): Found | undefined {
    const { runtimeDir, processFile } = this.#yard.paths;
    const pid =
      target === 'supervisor'
        ? (readJson(join(runtimeDir, 'supervisor.lock')) as { pid: number }).pid
        : (readJson(processFile) as ProcessFile).processes.find(({ name }) => name === target)?.pid;
    if (pid === undefined || !isAlive(pid)) return undefined;
    return { pid, startTicks: processFacts(pid)?.startTicks ?? -1 };
  }
}

interface ProcessFile {
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
