import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '@switchyard/testing';

/** Nobody's settings but those of the test count. */
const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** A repository for a test, made with git itself. */
export class GitTree {
  readonly path: string;
  readonly #remove: () => void;

  constructor(...init: string[]) {
    const dir = tempDir('sy-git');
    this.#remove = dir.remove;
    // git names places without symbolic links, and the folder for temporary files may be behind one.
    this.path = join(realpathSync(dir.path), 'repo');
    mkdirSync(this.path);
    this.git('init', '-q', '-b', 'main', ...init);
  }

  /** Beside the repository. */
  get outside(): string {
    return dirname(this.path);
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-C', this.path, ...args], { env: ENV, stdio: 'pipe', encoding: 'utf8' });
  }

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Buffer = `${name}\n`): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  commit(message = 'change'): void {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
  }

  remove(): void {
    this.#remove();
  }
}

/** A text of numbered lines. */
export function numbered(count: number, change: (line: number) => string = (line) => `line ${line}`): string {
  return Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join('');
}
