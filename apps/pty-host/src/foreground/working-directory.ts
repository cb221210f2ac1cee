import { readlinkSync, statSync } from 'node:fs';

/** The directory that a process is in. */
export interface WorkingDirectory {
  readonly path: string;
  /** false: it was deleted under the process, which is in a place that has no name any more. */
  readonly exists: boolean;
}

/** What Linux adds to the name of what was deleted. A directory may be called so, too. */
const DELETED = ' (deleted)';

/**
 * Asks the system where a process is. Another directory that was made in the place of a deleted one is not it.
 * @returns null when that is not to be had: the process has ended, is another user's, or the system is not Linux
 */
export function workingDirectory(pid: number): WorkingDirectory | null {
  const link = `/proc/${pid}/cwd`;
  try {
    const path = readlinkSync(link);
    if (!path.endsWith(DELETED) || isSame(link, path)) return { path, exists: true };
    return { path: path.slice(0, -DELETED.length), exists: false };
  } catch {
    return null; // as above
  }
}

/** Whether a path leads to what the process is in. */
function isSame(link: string, path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const { dev, ino } = statSync(link);
  return found.dev === dev && found.ino === ino;
}
