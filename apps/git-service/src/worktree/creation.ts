import type { HandlerContext } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import { outliveOrphans } from '../adapters/orphans.js';
import type { GitKit } from '../git-kit.js';
import type { Operation } from '../operations.js';
import { carryOn, type Furnished, isFinal } from './carry-on.js';
import { type CreateFacts, createFacts, STEP } from './create-facts.js';
import { addWorktree, finishHalf, madeOf, takeAway } from './git-part.js';
import type { CreatePlan } from './plan-create.js';

/** A checkout that was under way when the service died goes on by itself; one that takes longer than this hangs. */
const ORPHAN_PATIENCE_MS = 120_000;
const ORPHAN_GRACE_MS = 3_000;
/** The calls that follow when git is done: to services that may be restarting. */
const CALL_TIMEOUT_MS = 15_000;

/**
 * Makes a worktree and its workspace. Until git has made the worktree a request can be withdrawn, and nothing is left;
 * from then on it is carried on to the end, by the next run of the service if need be.
 *
 * @throws what git and `workspace.create` answer, with `data.worktree` when the worktree stays
 */
export async function create(
  kit: GitKit,
  operation: Operation,
  plan: CreatePlan,
  { signal, deadline, caller }: HandlerContext,
): Promise<Furnished> {
  const facts = createFacts(operation.facts);
  try {
    if (plan.does !== 'nothing') {
      const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
      await addWorktree(facts, plan, { signal, timeoutMs, operation: operation.id });
      signal.throwIfAborted();
    }
    await operation.step(STEP.added);
  } catch (error) {
    throw await takenBack(operation, facts, error);
  }
  try {
    const furnished = await carryOn(kit, operation, facts, { caller, timeoutMs: CALL_TIMEOUT_MS });
    await operation.done();
    return furnished;
  } catch (error) {
    if (isFinal(error)) throw await takenBack(operation, facts, error);
    throw about(error, facts, 'stays, and gets its workspace as soon as that is possible');
  }
}

/** Brings a creation whose service died to its end. */
export async function recoverCreation(kit: GitKit, operation: Operation, signal: AbortSignal): Promise<void> {
  const facts = createFacts(operation.facts);
  const options = { signal, operation: operation.id };
  const added = operation.did(STEP.added) !== undefined;
  if (!added) await untilGitIsDone(operation, facts, signal);
  if ((await madeOf(facts, signal)) === 'nothing') {
    // Once it was made it is the user who has removed it, or gone on to another branch.
    if (!added) await takeAway(facts, options);
    await operation.recovered('undone', `Making the worktree at ${facts.path} was cut off; nothing of it is left.`);
    return;
  }
  if (!added) await operation.step(STEP.added);
  try {
    await carryOn(kit, operation, facts, { signal, timeoutMs: CALL_TIMEOUT_MS });
    await operation.recovered('completed', `Making the worktree at ${facts.path} was cut off, and has been completed.`);
  } catch (error) {
    if (!isFinal(error) || !(error instanceof Error)) throw error;
    const left = await takeAway(facts, options);
    const end = left === 'nothing' ? 'nothing of it is left' : 'it stays without one';
    const detail = `The worktree at ${facts.path} could get no workspace (${error.message}); ${end}.`;
    await operation.recovered(left === 'nothing' ? 'undone' : 'completed', detail);
  }
}

/** A git that was left alone goes on to its end; one that died with the service is finished here. */
async function untilGitIsDone(operation: Operation, facts: CreateFacts, signal: AbortSignal): Promise<void> {
  await outliveOrphans(operation.id, {
    settled: async () => (await madeOf(facts, signal)) === 'whole',
    patienceMs: ORPHAN_PATIENCE_MS,
    graceMs: ORPHAN_GRACE_MS,
    signal,
  });
  if ((await madeOf(facts, signal)) === 'half') await finishHalf(facts, { signal, operation: operation.id });
}

/** After a failure: removes what was made. @returns the error to throw */
async function takenBack(operation: Operation, facts: CreateFacts, thrown: unknown): Promise<unknown> {
  const error = thrown instanceof DOMException ? withdrawn() : thrown;
  // Withdrawn or not: what was begun must not be left half done.
  const left = await takeAway(facts, { signal: new AbortController().signal, operation: operation.id });
  // Half made it stays in the journal, and the next change of the repository completes it.
  if (left === 'half') return about(error, facts, 'is half made, and will be completed');
  await operation.done();
  if (left === 'nothing' || facts.existed) return error;
  return about(error, facts, 'stays: there is something in it that git does not know');
}

const withdrawn = () => new SwitchyardError('cancelled', 'The caller withdrew the request.');

function about(error: unknown, { path, branch, top }: CreateFacts, stays: string): unknown {
  if (!(error instanceof SwitchyardError)) return error;
  const data = { ...error.data, worktree: { path, branch, repo: top } };
  return new SwitchyardError(error.code, `${error.message} The worktree at ${path} ${stays}.`, data, { cause: error });
}
