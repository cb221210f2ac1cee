import type { ByteText } from './byte-text.js';

/** A full object id, SHA-1 or SHA-256, that is not part of a longer word. */
const OBJECT_ID = /(?<![0-9A-Za-z])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9A-Za-z])/g;
const ZEROS = /^0+$/;

/**
 * Private files of a worktree that say nothing about objects, or say it in a form of their own: the index is read with
 * git, and submodules have repositories of their own.
 */
const NOT_TEXT = /^(index|sharedindex\.|modules(\/|$)|reftable(\/|$)|gitdir$|commondir$|locked$)/;

/** Whether a file in the private folder of a worktree may name objects. @param path relative to that folder */
export const mayNameObjects = (path: ByteText): boolean => !NOT_TEXT.test(path);

/**
 * Every object named in a text: a reflog, a `MERGE_HEAD`, the plan of a rebase. More is found than git knows to be
 * references, which is the right side to err on: what git forgets with the worktree would be lost with it.
 */
export function objectIdsIn(text: string): string[] {
  return [...new Set(text.match(OBJECT_ID) ?? [])].filter((id) => !ZEROS.test(id));
}

/** Files that belong to what is going on in a worktree, and the name of what goes on. */
const OPERATIONS: readonly (readonly [file: RegExp, operation: string])[] = [
  [/^rebase-merge\//, 'rebase'],
  [/^rebase-apply\/applying$/, 'am'],
  [/^rebase-apply\/rebasing$/, 'rebase'],
  [/^MERGE_HEAD$/, 'merge'],
  [/^CHERRY_PICK_HEAD$/, 'cherry-pick'],
  [/^REVERT_HEAD$/, 'revert'],
  [/^sequencer\//, 'sequence of cherry-picks or reverts'],
  [/^BISECT_LOG$/, 'bisect'],
];

/** @param files all private files of a worktree, relative to its private folder */
export function operationsIn(files: readonly ByteText[]): string[] {
  return OPERATIONS.flatMap(([file, name]) => (files.some((path) => file.test(path)) ? [name] : []));
}

/** Whether a private file names commits of something going on, or of the HEAD, rather than of the past. */
export const isOfThePresent = (path: ByteText): boolean => !/^(logs\/|FETCH_HEAD$|ORIG_HEAD$)/.test(path);

/**
 * The commits of a set that no other of the set has as a parent: with references to these everything is held.
 *
 * @param output of `git rev-list --parents`: a commit and its parents a line
 */
export function tipsOf(output: string): string[] {
  const lines = output.split('\n').filter((line) => line !== '');
  const parents = new Set(lines.flatMap((line) => line.split(' ').slice(1)));
  return lines.map((line) => line.split(' ', 1)[0] ?? '').filter((commit) => !parents.has(commit));
}

/** One entry of the stash, which all worktrees of a repository share. */
export interface StashEntry {
  readonly commit: string;
  /** `stash@{0}` */
  readonly name: string;
  readonly message: string;
  /** Where it was made; null: on a detached HEAD, or with a message that hides it. */
  readonly branch: string | null;
}

/** As `git stash list`, which wants a worktree. */
export const STASH_ARGS: readonly string[] = [
  'log',
  '-g',
  '-z',
  '--first-parent',
  '--format=%H%x09%gd%x09%gs',
  'refs/stash',
  '--',
];

/** Reads the output of git with {@link STASH_ARGS}. */
export function parseStash(output: string): StashEntry[] {
  return output.split('\0').flatMap((entry) => {
    const [commit = '', name = '', ...rest] = entry.split('\t');
    if (commit === '') return [];
    const message = rest.join('\t').trimEnd();
    const branch = /^(?:WIP on|On) ([^:]+): /.exec(message)?.[1] ?? null;
    return [{ commit, name: name.replace(/^refs\//, ''), message, branch: branch === '(no branch)' ? null : branch }];
  });
}
