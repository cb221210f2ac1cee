import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { canonicalPath } from '../adapters/canonical-path.js';
import { worktreesOf } from '../adapters/repository.js';
import { type Diagnosis, diagnose } from '../domain/removal/diagnosis.js';
import { gitDirOf, type Registration, readRegistrations } from './registrations.js';
import { isMissing } from './walk.js';

/** Folders beside known worktrees are looked at, so many at most: a person keeps worktrees in one or two places. */
const MOST_PLACES = 32;
const MOST_FOLDERS = 1_000;

/** A folder whose `.git` file names a registration of this repository. */
interface Claim {
  readonly folder: string;
  readonly name: string;
}

/**
 * Examines the registrations of a repository and the folders beside its worktrees. Changes nothing.
 * @param places further folders in which worktrees of it may lie
 * @returns what is not well
 */
export async function examine(commonDir: string, places: readonly string[], signal: AbortSignal): Promise<Diagnosis[]> {
  const registrations = await readRegistrations(commonDir);
  const listed = await worktreesOf({ commonDir }, signal);
  const claims = await claimsBeside(commonDir, registrations, places);
  const known = registrations.map((registration) =>
    diagnose({
      ...registration,
      branch: listed.find(({ path }) => path === registration.path)?.branch ?? null,
      foundAt: foundAt(registration, claims),
    }),
  );
  const names = new Set(registrations.map(({ name }) => name));
  const orphans = claims
    .filter(({ name }) => !names.has(name))
    .map(({ folder }) =>
      diagnose({ name: null, path: folder, branch: null, lockReason: null, folder: 'present', foundAt: null }),
    );
  return [...known, ...orphans].filter((diagnosis) => diagnosis !== undefined);
}

function foundAt({ name, folder, path }: Registration, claims: readonly Claim[]): string | null {
  if (folder === 'present') return null;
  return claims.find((claim) => claim.name === name && claim.folder !== path)?.folder ?? null;
}

async function claimsBeside(
  commonDir: string,
  registrations: readonly Registration[],
  more: readonly string[],
): Promise<Claim[]> {
  const beside = registrations.flatMap(({ path }) => (path === null ? [] : [dirname(path)]));
  const places = [...new Set([...more, ...beside])].slice(0, MOST_PLACES);
  const claims = new Map<string, Claim>();
  for (const place of places) {
    for (const folder of await foldersIn(place)) {
      const claim = await claimOf(folder, commonDir);
      if (claim !== undefined) claims.set(claim.folder, claim);
    }
  }
  return [...claims.values()];
}

async function claimOf(folder: string, commonDir: string): Promise<Claim | undefined> {
  const gitDir = await gitDirOf(folder);
  if (gitDir === null || (await canonicalPath(dirname(gitDir))) !== join(commonDir, 'worktrees')) return undefined;
  return { folder: await canonicalPath(folder), name: basename(gitDir) };
}

async function foldersIn(place: string): Promise<string[]> {
  try {
    const entries = await readdir(place, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .slice(0, MOST_FOLDERS)
      .map(({ name }) => join(place, name));
  } catch (error) {
    // A place on a disk that is away, or that others keep closed, hides nothing of ours that could be told.
    if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return [];
    throw error;
  }
}
