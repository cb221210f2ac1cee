import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Nothing of the user's own git configuration reaches a test. */
const GIT_ENV = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** A repository of its own, with a branch `main` and one commit. */
export class TestRepo {
  readonly path: string;

  /** @param path is made */
  constructor(path: string) {
    mkdirSync(path, { recursive: true });
    this.path = realpathSync(path);
    this.git('init', '-q', '-b', 'main');
    this.write('README.md', 'one\n');
    this.commit('first');
  }

  git(...args: string[]): string {
    return this.gitIn(this.path, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    return execFileSync('git', ['-C', folder, ...args], { env: GIT_ENV, stdio: 'pipe' }).toString();
  }

  write(file: string, text: string): void {
    const path = join(this.path, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  commit(message: string): void {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
  }

  hasBranch(branch: string): boolean {
    return this.git('for-each-ref', `refs/heads/${branch}`) !== '';
  }

  /** Folders of its worktrees, the main checkout left out. */
  linked(): string[] {
    const entries = this.git('worktree', 'list', '--porcelain').split('\n\n');
    return entries.flatMap((entry) => /^worktree (.*)$/m.exec(entry)?.[1] ?? []).filter((path) => path !== this.path);
  }
}
