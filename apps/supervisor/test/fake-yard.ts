import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type YardPaths, yardPaths } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import type { ToldEvent } from '@switchyard/service';
import { tempDir } from '@switchyard/testing';
import { build, type Supervisor } from '../src/index.js';

export type Behaviour = 'well' | 'crashing' | 'stubborn' | 'slow' | 'hanging';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A yard of fake services, with a supervisor inside the test or in a process of its own. */
export class FakeYard {
  readonly paths: YardPaths;
  readonly behaviours: Record<string, Behaviour> = {};
  readonly #dir = tempDir();
  #toml = '';

  constructor() {
    const root = this.#dir.path;
    this.paths = yardPaths(
      { HOME: root, SWITCHYARD_RUNTIME_DIR: `${root}/run`, SWITCHYARD_STATE_DIR: `${root}/state` },
      process.getuid?.() ?? 0,
    );
  }

  settings(toml: string): void {
    this.#toml = toml;
  }

  /** @param tell gets what is told to the journal */
  supervisor(tell: (event: ToldEvent) => void = () => undefined): Supervisor {
    return build(
      { ...this.#config, env: process.env },
      {
        openLog: () => quiet,
        onBus: () => ({ bus: undefined, eventsWaiting: 0, tell, close: async () => undefined }),
        programFor: ({ name }, standsBy) => ({
          command: process.execPath,
          args: [
            here('fake-service.mjs'),
            this.paths.supervisorSocket,
            name,
            this.behaviours[name] ?? 'well',
            standsBy ? 'standby' : '',
          ],
          env: process.env,
        }),
      },
    );
  }

  /** A supervisor that can be killed; resolves when its yard is up. */
  async supervisorProcess(): Promise<ChildProcess> {
    const what = JSON.stringify({ config: this.#config, behaviours: this.behaviours });
    const child = spawn(process.execPath, [here('fake-yard.mjs'), what], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  }

  remove(): void {
    this.#dir.remove();
  }

  get #config() {
    const settings = parseSettings(`bus.broker = "embedded"\n${this.#toml}`, 'test.toml');
    return { paths: this.paths, settings, uid: process.getuid?.() ?? 0 };
  }
}
