import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The path with every symbolic link resolved; as given when it does not exist (a worktree whose disk is away). */
export async function canonicalPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

/** As {@link canonicalPath} for a path that need not exist yet: links in the part that does are resolved. */
export async function canonicalTarget(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    return await realpath(path);
  } catch {
    return join(await canonicalTarget(parent), basename(path));
  }
}
