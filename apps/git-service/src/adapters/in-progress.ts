import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git-cli.js';

/** What git can be in the middle of, by the file it keeps meanwhile; the first that is there counts. */
const SIGNS = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry_pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
] as const;

export type InProgress = (typeof SIGNS)[number][1];

/** @param path of a checkout @returns null when git is in the middle of nothing there */
export async function inProgressIn(path: string, signal: AbortSignal): Promise<InProgress | null> {
  const folder = (await git(path, ['rev-parse', '--absolute-git-dir'], { signal })).replace(/\n$/, '');
  return inProgressOf(folder);
}

/** As {@link inProgressIn}, where the folder of git of the checkout is known: nothing is run. */
export async function inProgressOf(gitDir: string): Promise<InProgress | null> {
  for (const [file, what] of SIGNS) if (await isThere(join(gitDir, file))) return what;
  return null;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
