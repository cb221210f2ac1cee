import { fail } from '@switchyard/protocol';
import { git, succeeded, tryGit } from '../adapters/git-cli.js';
import type { ChangesQuestion } from './question.js';
import { commitOf, type Repository } from './repository.js';

/** What a question means in a repository: the command of git that answers it. */
export interface Comparison {
  readonly top: string;
  readonly head: string | null;
  readonly base: { readonly name: string; readonly commit: string } | null;
  /** Subcommand and what it compares. */
  readonly command: readonly string[];
  /** Whether the new side is the files themselves, and not the index. */
  readonly isOfFiles: boolean;
}

/**
 * @throws `not_supported` in a bare repository; `not_found` when no base is a commit here, or when it has nothing in
 *   common with HEAD
 */
export async function compare(
  question: ChangesQuestion,
  repository: Repository,
  signal: AbortSignal,
): Promise<Comparison> {
  const { top, head, emptyTree, gitDir } = repository;
  if (top === null) {
    fail('not_supported', `${gitDir} has no worktree: there are no files to compare.`, { repo: gitDir });
  }
  const before = head ?? emptyTree;
  const common = { top, head, base: null, isOfFiles: true };
  switch (question.mode) {
    case 'uncommitted':
      return { ...common, command: ['diff-index', before] };
    case 'staged':
      return { ...common, command: ['diff-index', '--cached', before], isOfFiles: false };
    case 'unstaged':
      // Of a file with conflicts its own side is compared, as for any other file.
      return { ...common, command: ['diff-files', '--ours'] };
    case 'branch': {
      const base = await branchedFrom(top, head, question.bases ?? [], signal);
      return { ...common, base, command: ['diff-index', base.commit] };
    }
  }
}

async function branchedFrom(top: string, head: string | null, bases: readonly string[], signal: AbortSignal) {
  for (const name of bases) {
    const tip = await commitOf(top, name, signal);
    if (tip === null) continue;
    if (head === null) fail('not_found', 'The branch has no commit yet.', { base: name });
    const args = ['merge-base', head, tip];
    const run = await tryGit(top, args, { signal });
    if (run.exitCode === 1) fail('not_found', `HEAD and ${name} have no commit in common.`, { base: name });
    return { name, commit: succeeded(top, args, run).stdout.toString('latin1').trim() };
  }
  return fail('not_found', `No branch or commit is called ${bases.join(' or ')}.`, { bases: [...bases] });
}

/** Sizes of objects by their ids, in bytes. What is not there has none. */
export async function sizesOf(
  top: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const lines = (await git(top, args, { signal, input: `${ids.join('\n')}\n` })).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [id = '', size] = line.split(' ');
      return size === undefined || !/^\d+$/.test(size) ? [] : [[id, Number(size)] as const];
    }),
  );
}
