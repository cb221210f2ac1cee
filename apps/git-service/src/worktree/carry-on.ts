import type { CallOptions } from '@switchyard/bus';
import { type ErrorCode, type Result, SwitchyardError } from '@switchyard/protocol';
import { canonicalPath } from '../adapters/canonical-path.js';
import { worktreesOf } from '../adapters/repository.js';
import type { Facts } from '../domain/operation.js';
import type { GitKit } from '../git-kit.js';
import type { Operation } from '../operations.js';
import { type Places, placesOf, type Shown, shownIn } from '../places.js';
import { type CreateFacts, STEP } from './create-facts.js';
import { type SetupReport, setUp, setupSkipped } from './setup.js';

/** What a worktree has got besides its files. */
export interface Furnished {
  readonly shown: Shown;
  readonly setup: SetupReport;
  readonly warnings: readonly string[];
}

/** Errors after which another try would end the same: then the worktree is taken back. */
const FINAL: readonly ErrorCode[] = [
  'unavailable',
  'invalid_params',
  'command_not_found',
  'directory_not_found',
  'not_supported',
];

export const isFinal = (error: unknown): boolean => error instanceof SwitchyardError && FINAL.includes(error.code);

/**
 * What follows when git has made the worktree: a workspace, its place, its layout, the setup. Every step is safe to
 * repeat: each call carries a request id that is derived from the operation.
 * @throws what `workspace.create` answers; whatever else goes wrong is a warning
 */
export async function carryOn(
  kit: GitKit,
  operation: Operation,
  facts: CreateFacts,
  options: CallOptions,
): Promise<Furnished> {
  const shown = await openWorkspace(kit, operation, facts, options);
  const warnings: string[] = [];
  const attempt = async <T>(what: string, fallback: T, step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof SwitchyardError)) throw error;
      kit.log.warn({ err: error, operation: operation.id }, what);
      warnings.push(`${what}: ${error.message}`);
      return fallback;
    }
  };
  await attempt('The workspace is not beside that of the repository', undefined, () =>
    placeBeside(kit, operation, facts, shown, options),
  );
  const { layout } = facts;
  if (layout !== null) {
    await attempt(`The layout ${layout} could not be applied`, undefined, async () => {
      const params = { name: layout, workspace_id: shown.workspace_id, cwd: facts.path };
      const applied = await kit.bus.call('layout.apply', params, { ...options, requestId: `${operation.id} layout` });
      if (!applied.complete) warnings.push(missingOf(applied));
    });
  }
  const target = {
    repository: facts,
    path: facts.path,
    workspaceId: shown.workspace_id,
    requestId: `${operation.id} setup`,
  };
  const setup = facts.setup
    ? await attempt('The setup could not be done', setupSkipped, () => setUp(kit, target, options))
    : setupSkipped;
  return { shown, setup, warnings };
}

async function openWorkspace(
  { bus }: GitKit,
  operation: Operation,
  facts: CreateFacts,
  options: CallOptions,
): Promise<Shown> {
  const before = operation.did(STEP.opened);
  if (before !== undefined) return readShown(before);
  const created = await bus.call(
    'workspace.create',
    { window_id: facts.windowId, title: facts.title, cwd: facts.path },
    { ...options, requestId: `${operation.id} workspace` },
  );
  const shown = shownIn(created);
  await operation.step(STEP.opened, { ...shown });
  return shown;
}

/** What of a layout is not there, in a sentence. */
function missingOf({ layout, surfaces, skipped }: Result<'layout.apply'>): string {
  const failed = surfaces.flatMap(({ surface_ref, error }) =>
    error === null ? [] : `${surface_ref}: ${error.message}`,
  );
  const left = skipped.map(({ what, reason }) => `${what}: ${reason}`);
  return `The layout ${layout} is not complete. ${[...failed, ...left].join(' ')}`.trim();
}

/** Right after the workspace that was opened on the repository itself, if there is one in its window (§6.3). */
async function placeBeside(
  { bus }: GitKit,
  operation: Operation,
  facts: CreateFacts,
  shown: Shown,
  options: CallOptions,
): Promise<void> {
  const root = rootIn(await placesOf(bus, options, shown.window_id), await rootsOf(facts, options));
  if (root === undefined || root.window_id !== shown.window_id || root.workspace_id === shown.workspace_id) return;
  await bus.call(
    'workspace.reorder',
    { window_id: shown.window_id, workspace_id: shown.workspace_id, after_workspace_id: root.workspace_id },
    { ...options, requestId: `${operation.id} place` },
  );
}

/** The top level that was named, then the main checkout. */
async function rootsOf(facts: CreateFacts, { signal }: CallOptions): Promise<string[]> {
  const all = await worktreesOf(facts, signal ?? new AbortController().signal);
  const main = all.find(({ isMain }) => isMain)?.path;
  return Promise.all([facts.top, ...(main === undefined ? [] : [main])].map(canonicalPath));
}

function rootIn(places: Places, roots: readonly string[]) {
  for (const root of roots) {
    const place = places.openedOn(root) ?? places.at(root);
    if (place !== undefined) return place;
  }
  return undefined;
}

function readShown(facts: Facts): Shown {
  const { window_id, window_ref, workspace_id, workspace_ref } = facts;
  const texts = [window_id, window_ref, workspace_id, workspace_ref];
  if (!texts.every((value) => typeof value === 'string')) throw new Error('the journal names no workspace');
  return { window_id, window_ref, workspace_id, workspace_ref } as Shown;
}
