import { fail } from '@switchyard/protocol';
import { type FoundWorktree, type Repository, type Which, worktreeIn, worktreesOf } from '../adapters/repository.js';
import { type Registration, readRegistrations, registrationAt } from './registrations.js';
import type { Target } from './target.js';

/**
 * The worktree that is to go.
 * @throws `worktree_not_found`; `invalid_state` for the main checkout and for a folder that is not the registered
 *   one; `worktree_locked`
 */
export async function removalTarget(repository: Repository, which: Which, signal: AbortSignal): Promise<Target> {
  const found = await worktreeIn(repository, which, signal);
  const { path, branch } = found;
  if (found.isMain) fail('invalid_state', 'The main checkout cannot be removed.', { path, branch });
  if (found.locked !== null) {
    const why = found.locked === '' ? '' : `: ${found.locked}`;
    fail('worktree_locked', `The worktree is locked${why}. Unlock it first.`, { path, branch, reason: found.locked });
  }
  const registration = await registrationAt(repository.commonDir, path);
  if (registration === undefined) return fail('worktree_not_found', `${path} has no registration.`, { path });
  if (registration.folder === 'foreign') {
    fail('invalid_state', `${path} is there, but it is not the worktree that is registered. See worktree.doctor.`, {
      path,
      branch,
    });
  }
  return targetOf(repository.commonDir, registration, found, signal);
}

/** The same for a registration of which git does not say anything any more. */
export async function targetNamed(commonDir: string, name: string, signal: AbortSignal): Promise<Target | undefined> {
  const registration = (await readRegistrations(commonDir)).find((each) => each.name === name);
  if (registration === undefined || registration.path === null) return undefined;
  const all = await worktreesOf({ commonDir }, signal);
  const listed = all.find(({ path }) => path === registration.path);
  return targetOf(commonDir, registration, listed, signal);
}

async function targetOf(
  commonDir: string,
  registration: Registration,
  found: FoundWorktree | undefined,
  signal: AbortSignal,
): Promise<Target> {
  const all = await worktreesOf({ commonDir }, signal);
  const head = found?.head ?? '';
  return {
    commonDir,
    gitDir: registration.gitDir,
    name: registration.name,
    path: found?.path ?? registration.path ?? '',
    present: registration.folder === 'present',
    branch: found?.branch ?? null,
    head: /[1-9a-f]/.test(head) ? head : null,
    mainPath: all.find(({ isMain }) => isMain)?.path ?? null,
  };
}
