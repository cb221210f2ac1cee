import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BusEvent } from '@switchyard/protocol';
import { tempDir, waitFor } from '@switchyard/testing';
import { Watching } from '../src/watch/watching.js';

type Change = Omit<BusEvent<'git.changed'>, 'instance'>;
export type Facts = NonNullable<Change['git']>;

const quiet = { debug() {}, info() {}, warn() {}, error() {}, fatal() {}, trace() {}, child: () => quiet };
/** Nothing of the person who runs the tests. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** A folder with repositories, a {@link Watching} that looks at them, and a count of the programs that it runs. */
export class WatchKit {
  readonly dir = tempDir('sy-watch');
  readonly changes: Change[] = [];
  readonly watching: Watching;
  readonly #bin = join(this.dir.path, 'bin');
  readonly #path = process.env['PATH'] ?? '';
  readonly #real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();

  constructor(options: { readonly pullRequests?: boolean } = {}) {
    mkdirSync(this.#bin);
    this.program('git', `exec ${this.#real} "$@"`);
    process.env['PATH'] = `${this.#bin}:${this.#path}`;
    this.watching = new Watching({
      pullRequests: options.pullRequests ?? false,
      log: quiet as never,
      tell: (change) => this.changes.push(change),
    });
  }

  /** A program on the PATH of the service that notes each of its runs. */
  program(name: string, script: string): void {
    const file = join(this.#bin, name);
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${file}.runs\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** The arguments of each run of a program so far. */
  runs(name = 'git'): string[] {
    const file = join(this.#bin, `${name}.runs`);
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }

  path(...parts: string[]): string {
    return join(this.dir.path, ...parts);
  }

  /** Runs git as a person would, past the count. */
  git(folder: string, ...args: string[]): string {
    return this.feed('', folder, ...args);
  }

  /** As {@link git}, with something to read. */
  feed(input: string, folder: string, ...args: string[]): string {
    const env = { ...process.env, ...IDENTITY };
    return execFileSync(this.#real, ['-C', this.path(folder), ...args], { env, input, stdio: 'pipe' }).toString();
  }

  /** A repository with one commit. */
  repo(name: string): string {
    mkdirSync(this.path(name), { recursive: true });
    this.git(name, 'init', '-q', '-b', 'main');
    this.commit(name, 'first');
    return this.path(name);
  }

  commit(name: string, file: string): void {
    writeFileSync(this.path(name, file), file);
    this.git(name, 'add', file);
    this.git(name, 'commit', '-q', '-m', file);
  }

  /** Watches folders, each with one surface of the same name. */
  watch(...folders: string[]): void {
    this.watching.watch(folders.map((name) => ({ folder: this.path(name), surface_ids: [name] })));
  }

  /** What was told last of a folder; undefined: nothing yet. */
  of(name: string): Facts | null | undefined {
    return this.changes.findLast(({ folders }) => folders.includes(this.path(name)))?.git;
  }

  /** Waits until what was told of a folder is so. */
  until(name: string, expected: Partial<Facts> | null): Promise<unknown> {
    const holds = () => {
      const now = this.of(name);
      if (now === undefined || now === null || expected === null) return now === expected;
      return Object.entries(expected).every(([key, value]) => now[key as keyof Facts] === value);
    };
    return waitFor(`${name} is ${JSON.stringify(expected)}`, holds, { seen: () => this.of(name) });
  }

  /** Waits until no program has been run for so long. */
  async quietFor(ms: number): Promise<void> {
    let [count, since] = [-1, 0];
    await waitFor(`no look for ${ms} ms`, () => {
      const now = this.runs().length;
      if (now !== count) [count, since] = [now, performance.now()];
      return performance.now() - since >= ms;
    });
  }

  end(): void {
    this.watching.close();
    process.env['PATH'] = this.#path;
    this.dir.remove();
  }
}
