import { fail, SwitchyardError } from '@switchyard/protocol';
import { git, gitChange, succeeded, tryGit, tryGitChange } from '../adapters/git-cli.js';
import { MERGE_TREE_ARGS, parseMergeTree } from '../domain/merge/merge-tree.js';
import { mergeMessage, squashMessage } from '../domain/merge/messages.js';
import type { Operation, Operations } from '../operations.js';

/** A merge reads both trees; a large one on a cold disk takes a while. */
const MERGE_TIMEOUT_MS = 120_000;
export const MERGE = 'worktree.merge';

export type Mode = 'ff' | 'merge' | 'squash';
export type Outcome = 'fast_forward' | 'merged' | 'squashed' | 'up_to_date';

/** What is merged into what. */
export interface Plan {
  /** Canonical common folder of the repository. */
  readonly commonDir: string;
  /** Branch, or commit id of a detached HEAD. */
  readonly source: string;
  readonly isBranch: boolean;
  /** Commit that is merged. */
  readonly commit: string;
  /** Branch that it is merged into, and its commit. */
  readonly base: string;
  readonly before: string;
  readonly mode: Mode;
  readonly message: string | undefined;
}

/** Where the base is checked out. */
export interface Holder {
  readonly path: string;
  /** Private folder of that checkout. */
  readonly gitDir: string;
}

/** What the journal keeps of a merge. */
export interface MergeFacts {
  readonly base: string;
  readonly before: string;
  readonly after: string;
  readonly holder: Holder | null;
}

/**
 * Makes the commit that the base will point to. Nothing points to it yet, so that nothing has changed.
 * @returns the outcome it will be; null for the commit when there is nothing to do
 * @throws `not_fast_forward`, `merge_conflict` with the files, `git_command_failed`
 */
export async function prepare(
  plan: Plan,
  operation: string,
  signal: AbortSignal,
): Promise<{ outcome: Outcome; after: string | null }> {
  const { commonDir, commit, before, mode } = plan;
  const options = { signal, env: { GIT_DIR: commonDir }, timeoutMs: MERGE_TIMEOUT_MS };
  const isAncestor = async (one: string, other: string) =>
    (await tryGit(commonDir, ['merge-base', '--is-ancestor', one, other], options)).exitCode === 0;
  if (await isAncestor(commit, before)) return { outcome: 'up_to_date', after: null };
  if (mode === 'ff') {
    if (await isAncestor(before, commit)) return { outcome: 'fast_forward', after: commit };
    fail('not_fast_forward', `${plan.base} has commits that ${plan.source} lacks. Merge or squash instead.`, {
      base: plan.base,
      source: plan.source,
    });
  }
  const tree = await mergedTree(plan, options);
  const treeBefore = (await git(commonDir, ['rev-parse', `${before}^{tree}`], options)).trim();
  if (mode === 'squash' && tree === treeBefore) return { outcome: 'up_to_date', after: null };
  const parents = mode === 'merge' ? ['-p', before, '-p', commit] : ['-p', before];
  const sign = (await tryGit(commonDir, ['config', '--type=bool', '--get', 'commit.gpgsign'], options)).stdout;
  const args = [
    'commit-tree',
    ...(sign.toString('utf8').trim() === 'true' ? ['-S'] : []),
    tree,
    ...parents,
    '-m',
    plan.message ?? (await defaultMessage(plan, options)),
  ];
  const after = await gitChange(commonDir, args, { signal, operation, env: { GIT_DIR: commonDir } });
  return { outcome: mode === 'merge' ? 'merged' : 'squashed', after: after.trim() };
}

/**
 * Moves the base to its new commit. Where it is checked out, git itself brings that checkout along, which it does only
 * when no file there stands in the way; that must hold no changes of its own.
 *
 * @throws `base_dirty` when git refuses, `git_command_failed`; then the base is where it was
 */
export async function move(plan: Plan, facts: MergeFacts, operations: Operations, identity: string): Promise<void> {
  const operation = await operations.begin({ kind: MERGE, repo: plan.commonDir, identity, facts: { ...facts } });
  await operation.step('moving');
  try {
    if (facts.holder === null) await moveReference(plan.commonDir, facts, operation.id, `${MERGE}: ${plan.source}`);
    else await moveCheckout(facts.holder, facts, operation);
  } finally {
    await operation.done();
  }
}

/** Only from where it was: who has moved it meanwhile wins. */
export async function moveReference(
  commonDir: string,
  { base, before, after }: Pick<MergeFacts, 'base' | 'before' | 'after'>,
  operation: string,
  reason: string,
): Promise<void> {
  await gitChange(commonDir, ['update-ref', '-m', reason, `refs/heads/${base}`, after, before], {
    signal: uninterrupted(),
    operation,
    env: { GIT_DIR: commonDir },
  });
}

async function moveCheckout(holder: Holder, facts: MergeFacts, operation: Operation): Promise<void> {
  const args = ['merge', '--ff-only', '--quiet', '--no-autostash', facts.after];
  const run = await tryGitChange(holder.path, args, { signal: uninterrupted(), operation: operation.id });
  if (run.exitCode === 0) return;
  if (/would be overwritten by merge/.test(run.stderr)) {
    throw new SwitchyardError('base_dirty', `Files in ${holder.path} stand in the way of the merge.`, {
      path: holder.path,
      base: facts.base,
      stderr: run.stderr,
    });
  }
  succeeded(holder.path, args, run);
}

async function mergedTree(plan: Plan, options: { signal: AbortSignal; env: Record<string, string> }): Promise<string> {
  const { commonDir, before, commit, base, source } = plan;
  const run = await tryGit(commonDir, [...MERGE_TREE_ARGS, before, commit], options);
  if (run.exitCode !== 0 && run.exitCode !== 1) succeeded(commonDir, MERGE_TREE_ARGS, run);
  const { tree, conflicts, messages } = parseMergeTree(run.stdout.toString('utf8'));
  if (run.exitCode === 0) return tree;
  return fail(
    'merge_conflict',
    `${source} and ${base} have changed the same in ${conflicts.length} file${conflicts.length === 1 ? '' : 's'}.`,
    {
      base,
      source,
      conflicts,
      messages,
    },
  );
}

async function defaultMessage(plan: Plan, options: { signal: AbortSignal; env: Record<string, string> }) {
  if (plan.mode === 'merge') return mergeMessage(plan.source, plan.base, plan.isBranch);
  const args = ['log', '--reverse', '--no-merges', '--format=%s', '-z', `${plan.before}..${plan.commit}`];
  const subjects = (await git(plan.commonDir, args, options)).split('\0').filter((subject) => subject !== '');
  return squashMessage(plan.source, subjects);
}

/** What has begun is carried out; git has its own limit of time. */
const uninterrupted = (): AbortSignal => new AbortController().signal;
