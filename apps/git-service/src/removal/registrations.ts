import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { canonicalPath } from '../adapters/canonical-path.js';
import { isMissing } from './walk.js';

/** What a repository keeps of one linked worktree: a folder below `worktrees` in its common folder. */
export interface Registration {
  /** Name of that folder. */
  readonly name: string;
  /** That folder: private files of the worktree, among them its index, HEAD and reflog. */
  readonly gitDir: string;
  /** Where the worktree should be; null when the registration does not say. */
  readonly path: string | null;
  /** Why it must not be pruned; empty when no reason was given; null when it is not locked. */
  readonly lockReason: string | null;
  /** The folder is there and its `.git` file names this registration. */
  readonly folder: 'present' | 'missing' | 'foreign';
}

/** Reads the registrations themselves: git leaves damaged ones out of its list. */
export async function readRegistrations(commonDir: string): Promise<Registration[]> {
  const names = (await unlessMissing(readdir(join(commonDir, 'worktrees')))) ?? [];
  return Promise.all(names.sort().map((name) => readRegistration(join(commonDir, 'worktrees', name))));
}

/** The registration of a worktree by its folder, compared canonically. */
export async function registrationAt(commonDir: string, path: string): Promise<Registration | undefined> {
  const wanted = await canonicalPath(path);
  for (const registration of await readRegistrations(commonDir)) {
    if (registration.path !== null && (await canonicalPath(registration.path)) === wanted) return registration;
  }
  return undefined;
}

/** The private folder that a worktree's `.git` file names; null when there is no such file. */
export async function gitDirOf(folder: string): Promise<string | null> {
  const text = await unlessMissing(readFile(join(folder, '.git'), 'utf8'));
  const named = /^gitdir: (.+?)\n*$/s.exec(text ?? '')?.[1];
  return named === undefined ? null : resolve(folder, named);
}

async function readRegistration(gitDir: string): Promise<Registration> {
  const [gitFile, locked] = await Promise.all([
    unlessMissing(readFile(join(gitDir, 'gitdir'), 'utf8')),
    unlessMissing(readFile(join(gitDir, 'locked'), 'utf8')),
  ]);
  const named = gitFile?.replace(/\n+$/, '') ?? '';
  const path = named === '' ? null : dirname(resolve(gitDir, named));
  return {
    name: basename(gitDir),
    gitDir,
    path,
    lockReason: locked === undefined ? null : locked.trim(),
    folder: path === null ? 'missing' : await folderState(path, gitDir),
  };
}

async function folderState(path: string, gitDir: string): Promise<Registration['folder']> {
  if ((await unlessMissing(readdir(path))) === undefined) return 'missing';
  const named = await gitDirOf(path);
  return named !== null && (await canonicalPath(named)) === (await canonicalPath(gitDir)) ? 'present' : 'foreign';
}

/** undefined where nothing is; also for a `.git` that is a folder, which no linked worktree has. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EISDIR')) return undefined;
    throw error;
  }
}
