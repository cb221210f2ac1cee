import type { HandlerContext } from '@switchyard/bus';
import type { Handlers } from '@switchyard/protocol';
import type { EventWriter } from '@switchyard/service';
import type { GitKit } from '../git-kit.js';
import type { ReviewHandlers } from './review.js';
import { tellingEvents } from './telling-events.js';
import { watchHandlers } from './watch.js';
import { workspaceGitHandlers } from './workspace-git.js';
import { worktreeHandlers } from './worktree.js';
import { worktreeCreateHandlers } from './worktree-create.js';
import { mergeHandlers } from './worktree-merge.js';
import { worktreeOpenHandlers } from './worktree-open.js';
import { removalHandlers } from './worktree-removal.js';
import { worktreeSetupHandlers } from './worktree-setup.js';

/** Every method of the service, by name. */
export function allHandlers(
  kit: GitKit,
  reviews: ReviewHandlers,
  events: Pick<EventWriter, 'tell'>,
): Handlers<'git-service', HandlerContext> {
  const handlers = {
    ...workspaceGitHandlers(kit.bus),
    ...worktreeHandlers(kit),
    ...reviews,
    ...watchHandlers(kit),
    ...worktreeCreateHandlers(kit),
    ...worktreeOpenHandlers(kit),
    ...worktreeSetupHandlers(kit),
    ...removalHandlers(kit),
    ...mergeHandlers(kit),
  };
  return tellingEvents(handlers, events);
}
