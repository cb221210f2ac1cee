import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, connectClient } from '@switchyard/client';
import { type YardPaths, yardPaths } from '@switchyard/config';
import {
  freePort,
  processesMentioning,
  runCli,
  startYard,
  type TempDir,
  tempDir,
  waitFor,
  type Yard,
  type YardStatus,
} from '@switchyard/testing';

const LONG_MS = 60_000;

/** A yard that other machines can join. */
export async function startHub(): Promise<Yard> {
  const listen = `127.0.0.1:${await freePort()}`;
  return startYard({ bus: 'nats-server', settings: { fleet: { listen, names: ['127.0.0.1'] } } });
}

/** A machine of a yard, as far as one machine can play two: folders, processes and credentials of its own. */
export class JoinedHost {
  readonly name: string;
  readonly paths: YardPaths;
  readonly #dir: TempDir = tempDir('sy-host');
  readonly #env: Record<string, string>;

  constructor(name: string) {
    this.name = name;
    const dir = this.#dir.path;
    this.#env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: join(dir, 'home'),
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      SWITCHYARD_RUNTIME_DIR: join(dir, 'run'),
      SWITCHYARD_STATE_DIR: join(dir, 'state'),
      SWITCHYARD_CONFIG_DIR: join(dir, 'config'),
    };
    mkdirSync(this.home, { recursive: true });
    this.paths = yardPaths(this.#env, process.getuid?.() ?? 0, { yard: `host-${name}` });
  }

  get home(): string {
    return join(this.#dir.path, 'home');
  }

  get credentials(): string {
    return join(this.#dir.path, 'creds.json');
  }

  /** The yard makes a place for it. */
  async invite(yard: Yard, ...options: string[]): Promise<void> {
    const made = await yard.cli('host', 'invite', this.name, '--out', this.credentials, ...options);
    if (made.code !== 0) throw new Error(made.stderr);
  }

  /** `switchyard host --join`, in the background. */
  join(credentials: string = this.credentials) {
    const args = ['host', 'join', '--creds', credentials, '--detach'];
    return runCli(args, { env: this.#env, timeoutMs: LONG_MS });
  }

  /** @returns when the yard shows it so */
  async untilState(yard: Yard, state: string): Promise<void> {
    const client = await yard.client();
    let last: unknown;
    const isSo = async () => {
      last = await client.call('host.get', { host: this.name });
      return (last as { state: string }).state === state;
    };
    await waitFor(`${this.name} is ${state}`, isSo, { timeoutMs: LONG_MS, seen: () => last });
  }

  async status(): Promise<YardStatus> {
    const supervisor: Client = await connectClient(this.paths.supervisorSocket);
    try {
      return await supervisor.call('yard.status', {});
    } finally {
      supervisor.close();
    }
  }

  async pidOf(name: string): Promise<number> {
    const pid = (await this.status()).processes.find((process) => process.name === name)?.pid;
    if (pid == null) throw new Error(`${name} does not run on ${this.name}`);
    return pid;
  }

  /** Takes it down and fails when anything of it is left. */
  async stop(): Promise<void> {
    await runCli(['--yard', `host-${this.name}`, 'down'], { env: this.#env, timeoutMs: LONG_MS });
    const left = () => processesMentioning(this.#dir.path);
    try {
      await waitFor('nothing of the host is left', () => left().length === 0);
    } finally {
      for (const { pid } of left()) process.kill(pid, 'SIGKILL');
      this.#dir.remove();
    }
  }
}
