import type { HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn } from '@switchyard/protocol';
import { canonicalPath } from '../adapters/canonical-path.js';
import { type FoundWorktree, repositoryAt, worktreeIn } from '../adapters/repository.js';
import { type GitKit, onBehalfOf } from '../git-kit.js';
import { placesOf, shownIn } from '../places.js';
import { identityOf } from './worktree.js';

type OpenHandlers = Pick<HandlersIn<'worktree', 'git-service', HandlerContext>, 'worktree.open' | 'worktree.attach'>;

/** Workspaces for worktrees that are there. The repository is held meanwhile, so that none gets two. */
export function worktreeOpenHandlers(kit: GitKit): OpenHandlers {
  const { bus, changes } = kit;
  return {
    'worktree.open': async ({ repo, path, branch, window_id, title, focus }, ctx) => {
      const { window_id: window } = await placesOf(bus, onBehalfOf(ctx), window_id);
      const repository = await repositoryAt(repo, ctx.signal);
      const opened = await changes.ofRepo(repository.commonDir, ctx, async () => {
        const worktree = present(await worktreeIn(repository, { path, branch }, ctx.signal));
        const shown = await openOrReuse(kit, worktree, { window_id: window, title }, ctx);
        return { worktree: identityOf(worktree, repository), ...shown };
      });
      if (focus === true) await bus.call('workspace.select', { workspace_id: opened.workspace_id }, onBehalfOf(ctx));
      return opened;
    },
    'worktree.attach': async ({ repo, path, branch, workspace_id }, ctx) => {
      const repository = await repositoryAt(repo, ctx.signal);
      return changes.ofRepo(repository.commonDir, ctx, async () => {
        const worktree = present(await worktreeIn(repository, { path, branch }, ctx.signal));
        const shown = await attach(kit, worktree, workspace_id, ctx);
        return { worktree: identityOf(worktree, repository), ...shown };
      });
    },
  };
}

interface Wanted {
  readonly window_id: string;
  readonly title: string | undefined;
}

async function openOrReuse({ bus }: GitKit, worktree: FoundWorktree, wanted: Wanted, ctx: HandlerContext) {
  const place = (await placesOf(bus, onBehalfOf(ctx), wanted.window_id)).at(await canonicalPath(worktree.path));
  if (place !== undefined) return { ...shownIn(place), created: false };
  const { window_id, title = worktree.branch ?? undefined } = wanted;
  const made = await bus.call(
    'workspace.create',
    { window_id, cwd: worktree.path, ...(title !== undefined && { title }) },
    // The same however often the call is sent: when this service dies over it there is still only one workspace.
    { ...onBehalfOf(ctx), requestId: `worktree.open ${ctx.callId}` },
  );
  return { ...shownIn(made), created: true };
}

async function attach({ bus }: GitKit, worktree: FoundWorktree, workspace_id: string, ctx: HandlerContext) {
  const path = await canonicalPath(worktree.path);
  const holder = (await placesOf(bus, onBehalfOf(ctx))).openedOn(path);
  const asked = { workspace_id: holder?.workspace_id, workspace_ref: holder?.workspace_ref };
  const isItself = workspace_id.toUpperCase() === asked.workspace_id || workspace_id === asked.workspace_ref;
  if (holder !== undefined && isItself) return shownIn(holder);
  if (holder !== undefined) fail('already_exists', `${holder.workspace_ref} is the workspace of ${path}.`, asked);
  await bus.call('workspace.set_directory', { workspace_id, directory: path }, onBehalfOf(ctx));
  const attached = (await placesOf(bus, onBehalfOf(ctx))).openedOn(path);
  return attached === undefined ? fail('not_found', 'The workspace was closed.', { workspace_id }) : shownIn(attached);
}

/** @throws `worktree_not_found` when only its registration is there */
export function present(worktree: FoundWorktree): FoundWorktree {
  if (!worktree.isMissing) return worktree;
  const { path, branch, locked } = worktree;
  return fail('worktree_not_found', `The worktree at ${path} is registered, but its folder is missing.`, {
    path,
    branch,
    is_missing: true,
    locked,
  });
}
