import type { ReviewFile } from './file-text.js';

/** What a review compares. */
export interface Compared {
  /** Any folder of the worktree. */
  readonly directory: string;
  readonly mode: 'uncommitted' | 'branch';
  /** As asked for; null: the usual one. */
  readonly baseBranch: string | null;
}

/** The changes of a worktree at one moment. */
export interface Changes {
  /** Top of the worktree. */
  readonly directory: string;
  /** `HEAD`, or the branch that was found. */
  readonly baseBranch: string;
  /** What the old sides are of; null: nothing has been committed yet. */
  readonly baseCommit: string | null;
  /** By path. */
  readonly files: readonly ReviewFile[];
}

export const diffableCount = (files: readonly Pick<ReviewFile, 'diffable'>[]): number =>
  files.filter(({ diffable }) => diffable).length;
