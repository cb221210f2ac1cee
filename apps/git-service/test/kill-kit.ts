import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HandlerContext } from '@switchyard/bus';
import { type Bus, connectBus } from '@switchyard/bus';
import { yardPaths } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import type { Handlers } from '@switchyard/protocol';
import { createLog } from '@switchyard/service';
import { freePort, isAlive, tempDir, waitFor } from '@switchyard/testing';
import { FakeWorkspaces } from './fake-workspaces.js';

const BROKER = fileURLToPath(new URL('../../broker/dist/main.js', import.meta.url));
const GIT_SERVICE = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const TOKEN = 'for-tests-only';
const log = createLog('test', 'silent');

/** When the service is killed: at its n-th run of git, or of a call to another service. */
export interface KillPoint {
  /** `orphan`: git goes on without the service; `both`: it dies with it; `after`: it was just done. */
  readonly at: 'orphan' | 'both' | 'after';
  /** Which run of git, from 1. */
  readonly n: number;
}

/**
 * The git-service as a process of its own on a real bus, started again whenever it dies, with a workspace-service that
 * is played here. In its PATH stands a `git` that counts, and kills the service where the test says.
 */
export class KilledService {
  readonly workspaces = new FakeWorkspaces();
  readonly #dir = tempDir('sy-kill');
  readonly #children = new Set<ChildProcess>();
  #bus: Bus | undefined;
  #service: ChildProcess | undefined;
  #stopped = false;
  #port = 0;

  get dir(): string {
    return this.#dir.path;
  }

  /** A connection of a client. */
  get bus(): Bus {
    if (this.#bus === undefined) throw new Error('the kit has not begun');
    return this.#bus;
  }

  async start(): Promise<void> {
    this.#port = await freePort();
    for (const name of ['bin', 'kill', 'state', 'config', 'worktrees', 'home']) mkdirSync(join(this.dir, name));
    writeFileSync(join(this.dir, 'bus.json'), JSON.stringify({ url: this.#url, token: TOKEN, space: '_' }), {
      mode: 0o600,
    });
    this.#writeGit();
    this.#spawn(BROKER, 'bus', 'broker');
    this.#bus = await connectBus({ url: this.#url, token: TOKEN, service: 'client', log });
    const handlers = this.workspaces.answers as unknown as Handlers<'workspace-service', HandlerContext>;
    await this.#bus.serve('workspace-service', '_', handlers);
    this.#startService();
    await this.untilReady();
  }

  /** Kills the service at a point of its work from now on, once. */
  arm({ at, n }: KillPoint): void {
    rmSync(this.#killFile('count'), { force: true });
    writeFileSync(this.#killFile('armed'), `${at} ${n}`);
  }

  /** @returns how many runs of git were counted since it was armed */
  disarm(): number {
    rmSync(this.#killFile('armed'), { force: true });
    try {
      return Number(readFileSync(this.#killFile('count'), 'utf8'));
    } catch {
      // git was not run at all.
      return 0;
    }
  }

  /** SIGKILL, from the test itself. */
  kill(): void {
    this.#service?.kill('SIGKILL');
  }

  /** The next death of the service; then a new run of it is on its way. */
  death(): Promise<void> {
    const service = this.#service;
    if (service === undefined) throw new Error('the service does not run');
    return once(service, 'exit').then(() => undefined);
  }

  /**
   * Makes a request that the service is to be killed in, and whose caller does not ask again; then looks at what is left.
   * @returns `finished` when it was answered before the point at which the service would have been killed
   */
  async killedIn(ask: (signal: AbortSignal) => Promise<unknown>): Promise<'killed' | 'finished'> {
    const caller = new AbortController();
    const death = this.death().then(() => 'killed' as const);
    const request = ask(caller.signal).then(() => 'finished' as const);
    request.catch(() => undefined);
    const outcome = await Promise.race([death, request]);
    if (outcome === 'finished') return outcome;
    caller.abort();
    await this.untilReady();
    await this.untilSettled();
    return outcome;
  }

  async untilReady(): Promise<void> {
    await waitFor('the git-service answers', () =>
      this.bus.call('worktree.list', { repo: '/nowhere' }, { timeoutMs: 1000 }).then(
        () => false,
        ({ code }) => code === 'not_a_git_repo',
      ),
    );
  }

  /** Waits until recovery has brought everything to an end. */
  async untilSettled(): Promise<void> {
    const folder = join(this.dir, 'state', 'git-operations');
    const open = () =>
      readdirSync(folder).filter((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).outcome === null);
    await waitFor('nothing is unfinished', () => open().length === 0, { seen: open });
  }

  journal(): string[] {
    return readdirSync(join(this.dir, 'state', 'git-operations'));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#bus?.close();
    for (const child of this.#children) child.kill('SIGKILL');
    await waitFor('they are gone', () => [...this.#children].every(({ pid }) => pid === undefined || !isAlive(pid)));
    this.#dir.remove();
  }

  get #url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  readonly #killFile = (name: string) => join(this.dir, 'kill', name);

  #startService(): void {
    const child = this.#spawn(GIT_SERVICE, 'git-service', 'git-service');
    this.#service = child;
    child.once('exit', () => {
      if (!this.#stopped) this.#startService();
    });
  }

  #spawn(main: string, name: string, service: string): ChildProcess {
    const { dir } = this;
    const paths = {
      ...yardPaths({ HOME: dir }, 0),
      busFile: join(dir, 'bus.json'),
      stateDir: join(dir, 'state'),
      configDir: join(dir, 'config'),
      supervisorSocket: join(dir, 'none.sock'),
    };
    const settings = parseSettings(`[worktrees]\ndirectory = "${join(dir, 'worktrees')}"`, 'test');
    const SWITCHYARD_SERVICE = JSON.stringify({
      name,
      service,
      address: '_',
      host: 'local',
      shard: 0,
      shards: 1,
      paths,
      settings,
    });
    const PATH = [join(dir, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
    const env = { PATH, HOME: join(dir, 'home'), SWITCHYARD_SERVICE };
    const child = spawn(process.execPath, [main], { env, stdio: 'ignore' });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** The real git, with a count. The service is its parent; hooks and filters run the real one directly. */
  #writeGit(): void {
    const kill = join(this.dir, 'kill');
    const script = `#!/bin/sh
PATH="\${PATH#*:}"
n=$(($(cat ${kill}/count 2>/dev/null || echo 0) + 1))
echo $n > ${kill}/count
armed=$(cat ${kill}/armed 2>/dev/null)
if [ "$armed" = "orphan $n" ]; then rm ${kill}/armed; kill -9 $PPID; fi
if [ "$armed" = "both $n" ]; then rm ${kill}/armed; kill -9 $PPID; exit 1; fi
git "$@"
code=$?
if [ "$armed" = "after $n" ]; then rm ${kill}/armed; kill -9 $PPID; fi
exit $code
`;
    writeFileSync(join(this.dir, 'bin', 'git'), script);
    chmodSync(join(this.dir, 'bin', 'git'), 0o755);
  }
}
