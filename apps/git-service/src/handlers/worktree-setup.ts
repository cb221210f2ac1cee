import type { HandlerContext } from '@switchyard/bus';
import type { HandlersIn } from '@switchyard/protocol';
import { fail } from '@switchyard/protocol';
import { canonicalPath } from '../adapters/canonical-path.js';
import { repositoryAt, worktreeIn } from '../adapters/repository.js';
import { type GitKit, onBehalfOf } from '../git-kit.js';
import { placesOf } from '../places.js';
import { mustBeDone, setUp, setupOf } from '../worktree/setup.js';
import { identityOf } from './worktree.js';
import { present } from './worktree-open.js';

type SetupHandlers = Pick<HandlersIn<'worktree', 'git-service', HandlerContext>, 'worktree.setup' | 'worktree.trust'>;

/** What a repository wants to be done in its new worktrees, and the permission for it. */
export function worktreeSetupHandlers(kit: GitKit): SetupHandlers {
  return {
    'worktree.setup': async ({ repo, ...which }, ctx) => {
      const repository = await repositoryAt(repo, ctx.signal);
      return kit.changes.ofRepo(repository.commonDir, ctx, async () => {
        const worktree = present(await worktreeIn(repository, which, ctx.signal));
        const path = await canonicalPath(worktree.path);
        const place = (await placesOf(kit.bus, onBehalfOf(ctx))).at(path);
        if (place === undefined)
          return fail('invalid_state', `No workspace is open on ${path}; open it first.`, { path });
        const requestId = ctx.requestId ?? `worktree.setup ${ctx.callId}`;
        const target = { repository, path, workspaceId: place.workspace_id, requestId };
        const { file } = await setupOf(kit, repository, path, ctx.signal);
        const setup = mustBeDone(await setUp(kit, target, onBehalfOf(ctx)), file);
        return { worktree: identityOf(worktree, repository), setup };
      });
    },
    'worktree.trust': async ({ repo, trusted = true, dry_run = false }, ctx) => {
      const repository = await repositoryAt(repo, ctx.signal);
      const facts = await setupOf(kit, repository, repository.top, ctx.signal);
      const { source, file, plan, fingerprint, detail } = facts;
      const answer = { repo: source, file, detail, copy: [...(plan?.copy ?? [])], run: [...(plan?.run ?? [])] };
      if (dry_run) return { ...answer, state: facts.state };
      // What is allowed is what is answered, not what the file may hold by now.
      if (!trusted) await kit.trust.set(repository.commonDir, undefined);
      else if (fingerprint !== null) await kit.trust.set(repository.commonDir, fingerprint);
      if (fingerprint === null) return { ...answer, state: facts.state };
      return { ...answer, state: trusted ? ('trusted' as const) : ('untrusted' as const) };
    },
  };
}
