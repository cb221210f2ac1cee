import type { ChangedFile } from '../domain/diff/changed-file.js';

/**
 * What is compared: what is committed with the files (uncommitted), with the index (staged), the index with the files
 * (unstaged), or what a branch has since it left its base, with the files.
 */
export type ChangesMode = 'uncommitted' | 'staged' | 'unstaged' | 'branch';

export interface ChangesQuestion {
  /** Any folder of the worktree, absolute. */
  readonly folder: string;
  readonly mode: ChangesMode;
  /** With `branch`: names of the base; the first that is a commit here counts. */
  readonly bases?: readonly string[];
  /** Whether files that git does not know count as added. They never do with `staged`. Default true. */
  readonly untracked?: boolean;
  /** Only these files and folders, from the top of the worktree, taken literally. */
  readonly paths?: readonly string[];
  /** Unchanged lines around each change. Default 3. */
  readonly contextLines?: number;
}

/** How much is told at once. There is more when it is not enough; the first file is told whatever it takes. */
export interface ChangesLimits {
  readonly files: number;
  /** Of the answer, roughly. */
  readonly bytes: number;
  /** Untracked files, over all pages. */
  readonly untracked: number;
}

/** Where a page begins, and which state of the tree the pages before it were of. */
export interface PageStart {
  readonly snapshot: string;
  readonly index: number;
}

export interface ChangesPage {
  /** Top of the worktree, free of symbolic links. */
  readonly top: string;
  /** Commit id; null on a branch that has no commit yet. */
  readonly head: string | null;
  /** With `branch`: the base that was found, and the commit where the branch left it. */
  readonly base: { readonly name: string; readonly commit: string } | null;
  /**
   * Fingerprint of HEAD, of what is compared and of every file that differs: the same question has the same one as long
   * as nothing it is about has changed.
   */
  readonly snapshot: string;
  /** In the order of git, which is by path; untracked ones last. */
  readonly files: ChangedFile[];
  /** Where the next page begins; null: this was the last. */
  readonly next: PageStart | null;
  /** Untracked files beyond the limit. */
  readonly untrackedOmitted: number;
}
