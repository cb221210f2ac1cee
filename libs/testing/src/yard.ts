import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connectClient } from '@switchyard/client';
import { type Settings, type YardPaths, yardPaths } from '@switchyard/config';
import type { Result } from '@switchyard/protocol';
import { CLI, type CliRun, runCli } from './cli.js';
import { isAlive, processesMentioning, socketsUnder } from './processes.js';
import { tempDir } from './temp-dir.js';
import { waitFor } from './wait-for.js';

/** Ten processes start on two cores that may be busy with other tests. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
/** The end of a log is where the reason stands. */
const LOG_LINES_SHOWN = 20;

export type YardStatus = Result<'yard.status'>;
type ProcessStatus = YardStatus['processes'][number];

export interface YardOptions {
  /** Groups of config.toml, e.g. `{ terminal: { scrollback_lines: 100 } }`. */
  readonly settings?: { readonly [G in keyof Settings]?: Partial<Settings[G]> };
  /** Default: embedded, so that a test means the same on every machine. */
  readonly bus?: 'embedded' | 'nats-server';
  /** The same as `compat.programa = true`. */
  readonly compat?: boolean;
  /** Added to the environment of the yard and its terminals. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running yard of its own: real processes, in a folder of its own. */
export interface Yard {
  readonly dir: string;
  readonly paths: YardPaths;
  /** The environment in which its CLI finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** The compiled CLI. */
  readonly program: string;
  /** A connection to the gateway, made again when that has ended. */
  client(): Promise<Client>;
  /** A further connection; it is closed with the yard. */
  connect(): Promise<Client>;
  /** Runs the CLI against this yard. */
  cli(...args: string[]): Promise<CliRun>;
  /** Asks the supervisor itself, so that it works while the gateway is away. */
  status(): Promise<YardStatus>;
  processes(): Promise<ProcessStatus[]>;
  pidOf(name: string): Promise<number>;
  /** SIGKILL. @returns the pid that is gone */
  kill(name: string): Promise<number>;
  /** Waits until a process is ready that is not the given one. */
  untilRestarted(name: string, oldPid: number): Promise<ProcessStatus>;
  /** The last lines of every log. */
  logs(): string;
  /** From now on the folder stays, and `stop` prints the logs. */
  keep(): void;
  /** Stops the yard and fails when a process or socket of it is left. Safe to repeat. */
  stop(): Promise<void>;
}

/** Starts a yard with the compiled CLI and waits until its gateway answers. */
export async function startYard(options: YardOptions = {}): Promise<Yard> {
  const yard = new RunningYard(options);
  try {
    await yard.start();
    return yard;
  } catch (error) {
    yard.keep();
    await yard.stop().catch((left: Error) => process.stderr.write(`${left.message}\n`));
    throw error;
  }
}

class RunningYard implements Yard {
  readonly dir: string;
  readonly paths: YardPaths;
  readonly env: Record<string, string>;
  readonly program = CLI;
  readonly #folder = tempDir();
  readonly #clients = new Set<Client>();
  #client: Client | undefined;
  #supervisor: Client | undefined;
  #kept = false;
  #stopped = false;

  constructor(options: YardOptions) {
    this.dir = this.#folder.path;
    this.env = environmentIn(this.dir, options.env ?? {});
    this.paths = yardPaths(this.env, process.getuid?.() ?? 0);
    for (const folder of [this.env['HOME'] ?? '', this.paths.configDir]) mkdirSync(folder, { recursive: true });
    writeFileSync(this.paths.configFile, tomlOf(settingsOf(options)));
  }

  async start(): Promise<void> {
    const up = await runCli(['up', '--detach'], { env: this.env, timeoutMs: START_TIMEOUT_MS });
    if (up.code !== 0) throw new Error(`switchyard up --detach exited with ${up.code}:\n${up.stdout}${up.stderr}`);
    await (await this.client()).call('system.ping', {});
  }

  async client(): Promise<Client> {
    if (this.#client === undefined) {
      const client = await this.connect();
      this.#client = client;
      void client.closed.then(() => {
        if (this.#client === client) this.#client = undefined;
      });
    }
    return this.#client;
  }

  async connect(): Promise<Client> {
    const client = await waitFor('the gateway accepts a connection', () => connectClient(this.paths.gatewaySocket));
    this.#clients.add(client);
    void client.closed.then(() => this.#clients.delete(client));
    return client;
  }

  cli(...args: string[]): Promise<CliRun> {
    return runCli(args, { env: this.env, timeoutMs: START_TIMEOUT_MS });
  }

  async status(): Promise<YardStatus> {
    if (this.#supervisor === undefined) {
      const supervisor = await connectClient(this.paths.supervisorSocket);
      this.#supervisor = supervisor;
      void supervisor.closed.then(() => {
        this.#supervisor = undefined;
      });
    }
    return this.#supervisor.call('yard.status', {});
  }

  async processes(): Promise<ProcessStatus[]> {
    return (await this.status()).processes;
  }

  async pidOf(name: string): Promise<number> {
    const status = (await this.processes()).find((process) => process.name === name);
    if (status === undefined || status.pid === null) throw new Error(`${name} does not run: ${JSON.stringify(status)}`);
    return status.pid;
  }

  async kill(name: string): Promise<number> {
    const pid = await this.pidOf(name);
    process.kill(pid, 'SIGKILL');
    await waitFor(`${name} (${pid}) is gone`, () => !isAlive(pid));
    return pid;
  }

  untilRestarted(name: string, oldPid: number): Promise<ProcessStatus> {
    let last: unknown;
    return waitFor(
      `${name} is ready again`,
      async () => {
        const status = (await this.processes()).find((process) => process.name === name);
        last = status;
        return status?.state === 'ready' && status.pid !== oldPid ? status : undefined;
      },
      { timeoutMs: START_TIMEOUT_MS, seen: () => last },
    );
  }

  logs(): string {
    return logFiles(this.paths.logDir)
      .map((file) => {
        const lines = readFileSync(join(this.paths.logDir, file), 'utf8').trimEnd().split('\n');
        return `--- ${file}\n${lines.slice(-LOG_LINES_SHOWN).join('\n')}`;
      })
      .join('\n');
  }

  keep(): void {
    this.#kept = true;
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    const down = await runCli(['down'], { env: this.env, timeoutMs: STOP_TIMEOUT_MS });
    for (const client of [...this.#clients, this.#supervisor]) client?.close();
    const left = await this.#leftovers();
    if (left.length > 0) this.keep();
    if (this.#kept) process.stderr.write(`\n${this.logs()}\nthe folder stays: ${this.dir}\n`);
    else this.#folder.remove();
    if (left.length > 0) {
      throw new Error(`after switchyard down (${down.code} ${down.stderr}) there is left:\n${left.join('\n')}`);
    }
  }

  /** What is still there although the yard is down; processes among it are ended, so that no other test meets them. */
  async #leftovers(): Promise<string[]> {
    const found = () => [
      ...processesMentioning(this.dir).map(({ pid, command }) => `process ${pid} ${command}`),
      ...socketsUnder(this.dir).map((path) => `socket ${path}`),
    ];
    try {
      await waitFor('nothing is left', () => found().length === 0, { timeoutMs: STOP_TIMEOUT_MS });
      return [];
    } catch {
      const left = found();
      for (const { pid } of processesMentioning(this.dir)) process.kill(pid, 'SIGKILL');
      return left;
    }
  }
}

/** Nothing of the user's own set-up reaches the yard. */
function environmentIn(dir: string, more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: join(dir, 'home'),
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    SWITCHYARD_YARD: 'test',
    SWITCHYARD_RUNTIME_DIR: join(dir, 'run'),
    SWITCHYARD_STATE_DIR: join(dir, 'state'),
    SWITCHYARD_CONFIG_DIR: join(dir, 'config'),
    ...more,
  };
}

function settingsOf({ settings = {}, bus = 'embedded', compat = false }: YardOptions): Record<string, object> {
  return { ...settings, bus: { broker: bus, ...settings.bus }, compat: { programa: compat, ...settings.compat } };
}

/** Settings are groups of plain values, and JSON spells those as TOML does. */
function tomlOf(settings: Record<string, object>): string {
  return Object.entries(settings)
    .map(([group, values]) => {
      const lines = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
      return `[${group}]\n${lines.join('')}`;
    })
    .join('\n');
}

function logFiles(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // It never came so far as to write a log.
    return [];
  }
}
