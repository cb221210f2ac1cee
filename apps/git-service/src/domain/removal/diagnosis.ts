/**
 * What can be wrong with a registration. `missing`: its folder is not there. `locked`: it must not be pruned. `stale`:
 * what is in its place is something else, or it does not say where its place is. `orphaned`: a folder that belongs to a
 * registration which is gone.
 */
export type WorktreeState = 'missing' | 'locked' | 'stale' | 'orphaned';
/** What can be done, when asked for. */
export type Repair = 'unlock' | 'prune' | 'relink';

/** What is known of one registration or folder. */
export interface Evidence {
  /** Name of the registration; null: only a folder was found. */
  readonly name: string | null;
  readonly path: string | null;
  readonly branch: string | null;
  readonly lockReason: string | null;
  readonly folder: 'present' | 'missing' | 'foreign';
  /** The place of a folder that says it belongs to this registration, while the registration says otherwise. */
  readonly foundAt: string | null;
}

export interface Diagnosis {
  readonly name: string | null;
  readonly path: string | null;
  readonly branch: string | null;
  readonly states: readonly WorktreeState[];
  readonly lock_reason: string | null;
  readonly found_at: string | null;
  /** One sentence for a person. */
  readonly detail: string;
  /** In the order in which they have to be done. */
  readonly repairs: readonly Repair[];
}

/** While `git worktree add` is at work. */
const INITIALIZING = 'initializing';

/** @returns undefined when nothing is wrong */
export function diagnose(evidence: Evidence): Diagnosis | undefined {
  const { name, path, branch, lockReason, foundAt } = evidence;
  const states = statesOf(evidence);
  if (states.length === 0) return undefined;
  return {
    name,
    path,
    branch,
    states,
    lock_reason: lockReason,
    found_at: foundAt,
    detail: detailOf(evidence, states),
    repairs: repairsOf(evidence, states),
  };
}

function statesOf({ name, path, lockReason, folder }: Evidence): WorktreeState[] {
  if (name === null) return ['orphaned'];
  const states: WorktreeState[] = lockReason === null ? [] : ['locked'];
  if (path === null || folder === 'foreign') states.push('stale');
  else if (folder === 'missing') states.push('missing');
  return states;
}

function repairsOf({ foundAt, folder, path }: Evidence, states: readonly WorktreeState[]): Repair[] {
  if (states.includes('orphaned')) return [];
  const unlock: Repair[] = states.includes('locked') ? ['unlock'] : [];
  if (foundAt !== null && folder !== 'present') return [...unlock, 'relink'];
  // Something else lies there: only a person can say what is to become of it.
  if (path !== null && folder === 'foreign') return unlock;
  return states.includes('missing') || states.includes('stale') ? [...unlock, 'prune'] : unlock;
}

function detailOf(evidence: Evidence, states: readonly WorktreeState[]): string {
  const { path, lockReason, foundAt, branch } = evidence;
  const lock = lockReason === null ? '' : lockText(lockReason);
  if (states.includes('orphaned')) {
    return `${path} says it is a worktree of this repository, which knows nothing of it. Its files are all there.`;
  }
  if (foundAt !== null) return `The folder was moved from ${path} to ${foundAt} without telling git.${lock}`;
  if (path === null) return `The registration does not say where its folder is.${lock}`;
  if (states.includes('stale')) return `${path} is there, but it is not this worktree.${lock}`;
  if (states.includes('missing')) {
    const holds = branch === null ? '' : ` and keeps the branch ${branch} from being checked out`;
    return `${path} is not there, deleted or on a disk that is away; its registration stays${holds}.${lock}`;
  }
  return `The worktree is well.${lock}`;
}

function lockText(reason: string): string {
  if (reason === INITIALIZING) return ' It is locked because git is making it, or died while it did.';
  return reason === '' ? ' It is locked, without a reason.' : ` It is locked: ${reason}.`;
}
