import type { Changes } from '../domain/review/changes.js';
import type { Shown } from '../domain/review/comment.js';
import { newLines, type ReviewFile } from '../domain/review/file-text.js';

/** The lines of a file in a commit; null: it has none there, or none that can be shown. */
export type BaseLines = (path: string) => Promise<readonly string[] | null>;

/** One generation of a review, as far as it takes to know what it shows of a file. */
export interface View {
  /** The change of the file that has a path, or had it before it was renamed. */
  changeOf(path: string): ReviewFile | undefined;
  readonly baseLines: BaseLines;
}

/**
 * What a review shows of a file as the new side: the text that people count the lines of when they comment. It is made of
 * the old side and the diff, so that it is the text at the time of the diff whatever the file is now.
 *
 * @param path as the file is or was called
 * @returns undefined when there is no such file on either side
 */
export async function shownFile(path: string, { changeOf, baseLines }: View): Promise<Shown | undefined> {
  const change = changeOf(path);
  if (change === undefined) {
    const lines = await baseLines(path);
    return lines === null ? undefined : { path, lines };
  }
  if (change.status === 'deleted' || !change.diffable) return { path: change.path, lines: null };
  const old = change.status === 'added' ? [] : await baseLines(change.old_path ?? change.path);
  return { path: change.path, lines: old === null ? null : patched(old, change) };
}

function patched(old: readonly string[], change: ReviewFile): readonly string[] | null {
  try {
    return newLines(old, change.hunks);
  } catch (error) {
    // A filter of the repository made the diff of another text than that of the commit: no lines to be sure of.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The changes of a worktree, by name. */
export function viewOf({ files }: Changes, baseLines: BaseLines): View {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const renamed = new Map(files.filter(isRename).map((file) => [file.old_path, file]));
  return { baseLines, changeOf: (path) => byPath.get(path) ?? renamed.get(path) };
}

const isRename = ({ status }: ReviewFile): boolean => status === 'renamed';
