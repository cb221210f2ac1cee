import type { HandlerContext } from '@switchyard/bus';
import type { HandlersIn, Result } from '@switchyard/protocol';
import { canonicalPath } from '../adapters/canonical-path.js';
import { gitStatus } from '../adapters/git-status.js';
import { inProgressIn } from '../adapters/in-progress.js';
import { type FoundWorktree, type Repository, repositoryAt, worktreeIn, worktreesOf } from '../adapters/repository.js';
import { type GitKit, onBehalfOf } from '../git-kit.js';
import { placesOf, workspaceIds } from '../places.js';
import { setupOf } from '../worktree/setup.js';

type QueryHandlers = Pick<HandlersIn<'worktree', 'git-service', HandlerContext>, 'worktree.list' | 'worktree.status'>;
type Standing = Pick<Result<'worktree.status'>, 'upstream' | 'ahead' | 'behind' | 'changes' | 'in_progress'>;

/** Folders of new files count as one; a renamed file as one that is gone and one that is new. */
const COUNTED = ['--no-renames', '--untracked-files=normal'];
const UNKNOWN: Standing = { upstream: null, ahead: null, behind: null, changes: null, in_progress: null };

/** What there is: answered from git and, for what is open, from the workspace-service. */
export function worktreeHandlers(kit: GitKit): QueryHandlers {
  return {
    'worktree.list': async ({ repo }, ctx) => {
      const repository = await repositoryAt(repo, ctx.signal);
      const found = await worktreesOf(repository, ctx.signal);
      const places = await placesOf(kit.bus, onBehalfOf(ctx));
      const worktrees = await Promise.all(
        found.map(async (worktree) => ({
          path: worktree.path,
          branch: worktree.branch,
          ...registrationOf(worktree),
          ...workspaceIds(places.at(await canonicalPath(worktree.path))),
        })),
      );
      return { repo: repository.top, worktrees };
    },
    'worktree.status': async ({ repo, ...which }, ctx) => {
      const repository = await repositoryAt(repo, ctx.signal);
      const worktree = await worktreeIn(repository, which, ctx.signal);
      const places = await placesOf(kit.bus, onBehalfOf(ctx));
      const setup = await setupOf(kit, repository, worktree.path, ctx.signal);
      return {
        worktree: identityOf(worktree, repository),
        ...registrationOf(worktree),
        ...(worktree.isMissing ? UNKNOWN : await standingOf(worktree.path, ctx.signal)),
        setup: setup.state,
        ...workspaceIds(places.at(await canonicalPath(worktree.path))),
      };
    },
  };
}

/** What results call a worktree by. */
export function identityOf({ path, branch }: FoundWorktree, { top }: Repository): Result<'worktree.open'>['worktree'] {
  return { path, branch, repo: top };
}

function registrationOf({ head, isMain, isMissing, locked, prunable }: FoundWorktree) {
  return { head, is_main: isMain, is_missing: isMissing, locked, prunable };
}

async function standingOf(path: string, signal: AbortSignal): Promise<Standing> {
  const { head, counts } = await gitStatus(path, COUNTED, 0, { signal });
  const { upstream, ahead, behind } = head;
  return { upstream, ahead, behind, changes: counts, in_progress: await inProgressIn(path, signal) };
}
