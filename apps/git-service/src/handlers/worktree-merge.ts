import { randomUUID } from 'node:crypto';
import type { HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import { branchesInUse } from '../adapters/branches-in-use.js';
import { git, gitBytes, tryGit } from '../adapters/git-cli.js';
import { inProgressIn } from '../adapters/in-progress.js';
import { type FoundWorktree, type Repository, repositoryAt, worktreeIn, worktreesOf } from '../adapters/repository.js';
import { byteText, shown } from '../domain/removal/byte-text.js';
import { parseStatus, type StatusEntries } from '../domain/removal/status-entries.js';
import type { GitKit } from '../git-kit.js';
import { type Holder, MERGE, move, type Plan, prepare } from '../merge/merge.js';
import { telling } from './telling.js';

type MergeHandlers = Pick<HandlersIn<'worktree', 'git-service', HandlerContext>, 'worktree.merge'>;

const STATUS = ['status', '--porcelain=v2', '-z', '--no-renames', '--no-ahead-behind', '--untracked-files=normal'];
const STATUS_TIMEOUT_MS = 120_000;
/** Enough to see what it is about. */
const MOST_NAMES = 100;

/** The way of finished work into the base. */
export function mergeHandlers(kit: GitKit): MergeHandlers {
  return {
    'worktree.merge': async (params, ctx) => {
      const repository = await repositoryAt(params.repo, ctx.signal);
      return kit.changes.ofRepo(repository.commonDir, ctx, () => merge(kit, repository, params, ctx.signal));
    },
  };
}

async function merge(
  kit: GitKit,
  repository: Repository,
  params: Params<'worktree.merge'>,
  signal: AbortSignal,
): Promise<Result<'worktree.merge'>> {
  const { commonDir } = repository;
  const found = await worktreeIn(repository, { path: params.path, branch: params.branch }, signal);
  const all = await worktreesOf(repository, signal);
  const plan = await planOf(repository, found, all, params, signal);
  const identity = JSON.stringify([MERGE, commonDir, plan.base, plan.source]);
  return telling(kit.changes.operations, identity, async (recovered) => {
    if (!found.isMissing) await checkSource(found, params.committed_only === true, signal);
    const { outcome, after } = await prepare(plan, randomUUID(), signal);
    const answer = { source: plan.source, base: plan.base, before: plan.before, outcome, recovered };
    if (after === null) return { ...answer, merged: false, after: plan.before, checked_out_at: null };
    const holder = await holderOf(all, plan.base, signal);
    await move(plan, { base: plan.base, before: plan.before, after, holder }, kit.changes.operations, identity);
    return { ...answer, merged: true, after, checked_out_at: holder?.path ?? null };
  });
}

async function planOf(
  { commonDir }: Repository,
  found: FoundWorktree,
  all: readonly FoundWorktree[],
  { base: wanted, mode = 'ff', message }: Params<'worktree.merge'>,
  signal: AbortSignal,
): Promise<Plan> {
  if (!/[1-9a-f]/.test(found.head)) fail('invalid_state', 'The branch of the worktree has no commit yet.');
  const base = wanted ?? all.find(({ isMain }) => isMain)?.branch ?? null;
  if (base === null) return fail('invalid_params', 'The main checkout is on no branch: say which `base` is meant.');
  if (base === found.branch) fail('invalid_params', 'A branch cannot be merged into itself.', { base });
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${base}^{commit}`];
  const run = await tryGit(commonDir, args, { signal });
  if (run.exitCode !== 0) fail('not_found', `There is no local branch ${base}.`, { base });
  return {
    commonDir,
    source: found.branch ?? found.head,
    isBranch: found.branch !== null,
    commit: found.head,
    base,
    before: run.stdout.toString('utf8').trim(),
    mode,
    message,
  };
}

/** What is not committed would not come along, and that is rarely what was meant. */
async function checkSource({ path, branch }: FoundWorktree, committedOnly: boolean, signal: AbortSignal) {
  const inProgress = await inProgressIn(path, signal);
  if (inProgress !== null) {
    fail('invalid_state', `The worktree is in the middle of a ${inProgress}.`, {
      path,
      branch,
      in_progress: inProgress,
    });
  }
  if (committedOnly) return;
  const { changes, untracked } = await statusOf(path, signal);
  if (changes.length + untracked.length === 0) return;
  const names = [...changes.map((change) => change.path), ...untracked].slice(0, MOST_NAMES).map(shown);
  fail('worktree_dirty', 'The worktree has changes that are not committed: they would not be merged.', {
    path,
    branch,
    changed: changes.length,
    untracked: untracked.length,
    entries: names,
  });
}

/**
 * The checkout that the base has, made sure that git can bring it along.
 * @throws `base_dirty`, and `invalid_state` where it is away or in the middle of something
 */
async function holderOf(all: readonly FoundWorktree[], base: string, signal: AbortSignal): Promise<Holder | null> {
  const own = all.find(({ branch }) => branch === base);
  if (own === undefined) {
    // While a branch is rebased or bisected no checkout has it, and yet git is going to move it.
    const user = (await branchesInUse(all, signal)).get(base);
    if (user !== undefined) {
      fail('invalid_state', `${base} is being rebased or bisected at ${user.path}.`, { path: user.path, base });
    }
    return null;
  }
  const { path } = own;
  if (own.isMissing) {
    fail('invalid_state', `${base} is checked out at ${path}, which is not there. See worktree.doctor.`, {
      path,
      base,
    });
  }
  const inProgress = await inProgressIn(path, signal);
  if (inProgress !== null) {
    fail('invalid_state', `${base} is checked out at ${path}, in the middle of a ${inProgress}.`, {
      path,
      base,
      in_progress: inProgress,
    });
  }
  const { changes } = await statusOf(path, signal);
  if (changes.length > 0) {
    fail('base_dirty', `${base} is checked out at ${path} and has changes there. Commit or stash them first.`, {
      path,
      base,
      changed: changes.length,
      entries: changes.slice(0, MOST_NAMES).map((change) => shown(change.path)),
    });
  }
  return { path, gitDir: await gitDirIn(path, signal) };
}

async function gitDirIn(path: string, signal: AbortSignal): Promise<string> {
  return (await git(path, ['rev-parse', '--absolute-git-dir'], { signal })).replace(/\n$/, '');
}

async function statusOf(path: string, signal: AbortSignal): Promise<StatusEntries> {
  return parseStatus(byteText(await gitBytes(path, STATUS, { signal, timeoutMs: STATUS_TIMEOUT_MS })));
}
