import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { TestRepo } from './test-repo.js';

/** Names that have broken tools before. */
const NAMES = [
  'a',
  'b.txt',
  'deep/er/c',
  'ä b -> "c"',
  "it's",
  'new\nline',
  '-x',
  'UPPER',
  'node_modules/m/index.js',
  '.env',
  'notes/n',
  'dist/out.js',
];
const TRACKED = ['README.md', 'two', 'dir/three'];

/** One thing that somebody does in a worktree. What git does not allow just then is not done. */
export type Act = {
  readonly do: keyof typeof ACTS;
  readonly name: string;
  readonly tracked: string;
  readonly text: string;
};

export const acts = (): fc.Arbitrary<Act[]> =>
  fc.array(
    fc.record({
      do: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
      name: fc.constantFrom(...NAMES),
      tracked: fc.constantFrom(...TRACKED),
      text: fc.string({ maxLength: 40 }),
    }),
    { minLength: 1, maxLength: 9 },
  );

/** A repository with some history, and a linked worktree in which things happen. */
export class RandomWorktree {
  readonly repo: TestRepo;
  readonly tree: string;
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
    this.repo = new TestRepo(join(dir, 'repo'));
    this.repo.git('config', 'user.name', 'Ada');
    this.repo.git('config', 'user.email', 'ada@example.com');
    this.repo.write('.gitignore', 'node_modules/\ndist/\n.env\nnotes/\n');
    this.repo.write('two', 'two\n');
    this.repo.write('dir/three', '3\n');
    this.repo.commit('second');
    this.repo.git('branch', 'theirs');
    this.repo.git('branch', 'work');
    this.repo.git('checkout', '-q', 'theirs');
    for (const file of TRACKED) this.repo.write(file, `theirs ${file}\n`);
    this.repo.commit('theirs');
    this.repo.git('checkout', '-q', 'main');
    this.tree = join(dir, 'tree');
    this.repo.git('worktree', 'add', '-q', this.tree, 'work');
  }

  act(act: Act): void {
    ACTS[act.do](this, act);
  }

  git(...args: string[]): void {
    try {
      this.repo.gitIn(this.tree, ...args);
    } catch {
      // A conflict, or something else is in progress: both are states that a worktree can be in.
    }
  }

  write(file: string, text: string): void {
    const path = join(this.tree, file);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    } catch {
      // A folder or a link of an earlier act is in the way.
    }
  }

  commitAll(text: string): void {
    this.write('two', text);
    this.git('commit', '-q', '-a', '--allow-empty', '-m', 'c');
  }

  nested(name: string): void {
    const path = join(this.tree, `nested-${name.length}`);
    new TestRepo(path).write('inside', name);
  }

  fetchElsewhere(): void {
    const other = new TestRepo(join(this.#dir, `other-${Math.abs(lstatSync(this.tree).mtimeMs)}`));
    other.write('only there', String(Math.random()));
    other.commit('elsewhere');
    this.git('fetch', '-q', other.path, 'main');
  }
}

const ACTS = {
  write: (w: RandomWorktree, { name, text }: Act) => w.write(name, text),
  modify: (w: RandomWorktree, { tracked, text }: Act) => w.write(tracked, `changed ${text}`),
  remove: (w: RandomWorktree, { tracked }: Act) => rmSync(join(w.tree, tracked), { recursive: true, force: true }),
  stage: (w: RandomWorktree, { tracked, text }: Act) => {
    w.write(tracked, `staged ${text}`);
    w.git('add', '-A');
  },
  stageThenChange: (w: RandomWorktree, { tracked, text }: Act) => {
    w.write(tracked, `staged first ${text}`);
    w.git('add', '--', tracked);
    w.write(tracked, `and changed ${text}`);
  },
  intend: (w: RandomWorktree, { name, text }: Act) => {
    w.write(name, text);
    w.git('add', '-f', '-N', '--', name);
  },
  forceAdd: (w: RandomWorktree, { name, text }: Act) => {
    w.write(name, text);
    w.git('add', '-f', '--', name);
  },
  commit: (w: RandomWorktree, { text }: Act) => w.commitAll(`c ${text}`),
  amend: (w: RandomWorktree, { text }: Act) => {
    w.commitAll(`before ${text}`);
    w.git('commit', '-q', '--amend', '-m', 'amended');
  },
  detach: (w: RandomWorktree, { text }: Act) => {
    w.git('checkout', '-q', '--detach');
    w.commitAll(`detached ${text}`);
  },
  leaveDetached: (w: RandomWorktree, { text }: Act) => {
    w.git('checkout', '-q', '--detach');
    w.commitAll(`left ${text}`);
    w.git('checkout', '-q', 'work');
  },
  reset: (w: RandomWorktree, { text }: Act) => {
    w.commitAll(`reset ${text}`);
    w.git('reset', '-q', '--hard', 'HEAD~1');
  },
  stash: (w: RandomWorktree, { tracked, text }: Act) => {
    w.write(tracked, `stash ${text}`);
    w.git('stash', 'push', '-q', '--include-untracked');
  },
  merge: (w: RandomWorktree, { tracked, text }: Act) => {
    w.write(tracked, `mine ${text}`);
    w.git('commit', '-q', '-a', '-m', 'mine');
    w.git('merge', '-q', 'theirs');
  },
  rebase: (w: RandomWorktree, { tracked, text }: Act) => {
    w.write(tracked, `rebased ${text}`);
    w.git('commit', '-q', '-a', '-m', 'mine');
    w.git('rebase', '-q', 'theirs');
  },
  cherryPick: (w: RandomWorktree, { tracked, text }: Act) => {
    w.write(tracked, `picked ${text}`);
    w.git('commit', '-q', '-a', '-m', 'mine');
    w.git('cherry-pick', 'theirs');
  },
  bisect: (w: RandomWorktree) => w.git('bisect', 'start', 'HEAD', 'HEAD~1'),
  privateRef: (w: RandomWorktree, { text }: Act) => {
    w.commitAll(`private ${text}`);
    w.git('update-ref', 'refs/worktree/mine', 'HEAD');
    w.git('reset', '-q', '--hard', 'HEAD~1');
  },
  orphan: (w: RandomWorktree) => w.git('checkout', '-q', '--orphan', 'unborn'),
  hide: (w: RandomWorktree, { tracked, text }: Act) => {
    w.git('update-index', '--assume-unchanged', '--', tracked);
    w.write(tracked, `hidden ${text}`);
  },
  link: (w: RandomWorktree, { name, tracked }: Act) => {
    const path = join(w.tree, name);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(tracked, path);
  },
  becomeLink: (w: RandomWorktree, { tracked, text }: Act) => {
    rmSync(join(w.tree, tracked), { recursive: true, force: true });
    mkdirSync(dirname(join(w.tree, tracked)), { recursive: true });
    symlinkSync(`to ${text.replaceAll('\0', '')}`, join(w.tree, tracked));
  },
  becomeFolder: (w: RandomWorktree, { tracked, text }: Act) => {
    rmSync(join(w.tree, tracked), { recursive: true, force: true });
    w.write(`${tracked}/inside`, text);
  },
  script: (w: RandomWorktree, { name }: Act) => {
    w.write(name, '#!/bin/sh\n');
    chmodSync(join(w.tree, name), 0o750);
  },
  nested: (w: RandomWorktree, { name }: Act) => w.nested(name),
  fetch: (w: RandomWorktree) => w.fetchElsewhere(),
} as const;

/** What git, and nothing of ours, finds. */
export class Witness {
  readonly #repo: TestRepo;

  constructor(repo: TestRepo) {
    this.#repo = repo;
  }

  /** Every object that anything reaches: references, reflogs, indexes and HEADs of all worktrees, pseudo references. */
  reachable(tree: string): Set<string> {
    const found = new Set<string>();
    const add = (output: string) => {
      for (const line of output.split('\n'))
        if (line !== '') found.add(line.slice(0, line.indexOf(' ') === -1 ? undefined : line.indexOf(' ')));
    };
    add(this.#repo.gitIn(tree, 'rev-list', '--objects', '--all', '--reflog', '--indexed-objects'));
    for (const name of [
      'HEAD',
      'MERGE_HEAD',
      'CHERRY_PICK_HEAD',
      'REBASE_HEAD',
      'ORIG_HEAD',
      'FETCH_HEAD',
      'AUTO_MERGE',
    ]) {
      try {
        add(this.#repo.gitIn(tree, 'rev-list', '--objects', name, '--'));
      } catch {
        // There is no such reference, or it is a tree, whose blobs are asked for by name.
      }
    }
    return found;
  }

  /** Of objects those that git has lost once it has thrown away what nothing reaches. */
  lostAfterCollection(ids: ReadonlySet<string>): string[] {
    this.#repo.git('gc', '-q', '--prune=now');
    const input = [...ids].join('\n');
    const output = execFileSync('git', ['-C', this.#repo.path, 'cat-file', '--batch-check'], { input }).toString();
    return output.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, line.indexOf(' '))] : []));
  }

  /** Ids that git gives to all files and links below a folder, by path. The `.git` of the folder itself is left out. */
  onDisk(root: string): Map<string, string> {
    const files = filesBelow(root).filter((path) => path !== '.git' && !path.startsWith('.git/'));
    return new Map(files.map((path) => [path, this.#idOf(join(root, path))]));
  }

  #idOf(path: string): string {
    const link = lstatSync(path).isSymbolicLink();
    const args = ['-C', this.#repo.path, 'hash-object', '--no-filters', ...(link ? ['--stdin'] : ['--', path])];
    return execFileSync('git', args, link ? { input: readlinkSync(path) } : {})
      .toString()
      .trim();
  }
}

function filesBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
