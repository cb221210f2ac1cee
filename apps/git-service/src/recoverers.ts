import type { Recover } from './changes.js';
import type { GitKit } from './git-kit.js';
import { removalParts } from './handlers/worktree-removal.js';
import { MERGE } from './merge/merge.js';
import { mergeRecovery } from './merge/merge-recovery.js';
import { removalRecovery } from './removal/removal-recovery.js';
import { REMOVE } from './removal/remove.js';
import { RESTORE, restoreRecovery } from './removal/restore.js';
import { CREATE } from './worktree/create-facts.js';
import { recoverCreation } from './worktree/creation.js';

/** What brings an operation to its end whose service died, by the kind of the operation. */
export function recoverersOf(kit: GitKit): Iterable<readonly [string, Recover]> {
  return [
    [CREATE, (operation, signal) => recoverCreation(kit, operation, signal)],
    [REMOVE, removalRecovery(removalParts(kit))],
    [RESTORE, restoreRecovery(removalParts(kit))],
    [MERGE, mergeRecovery],
  ];
}
