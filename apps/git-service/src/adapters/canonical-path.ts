import { realpath } from 'node:fs/promises';

/** The path with every symbolic link resolved; as given when it does not exist (a worktree whose disk is away). */
export async function canonicalPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
