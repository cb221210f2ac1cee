import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn, type Params, type Result, SwitchyardError } from '@switchyard/protocol';
import { absolutePath, type Repository, repositoryAt, worktreesOf } from '../adapters/repository.js';
import type { Repair } from '../domain/removal/diagnosis.js';
import type { Manifest } from '../domain/removal/manifest.js';
import { repositoryName } from '../domain/worktree-names.js';
import { type GitKit, onBehalfOf } from '../git-kit.js';
import type { Operation } from '../operations.js';
import { examine } from '../removal/doctor.js';
import { removalTarget } from '../removal/find-target.js';
import { type Closed, occupantsOf, type WorkspaceName } from '../removal/occupants.js';
import { RecoveredFolder } from '../removal/recovered-folder.js';
import {
  carryOut,
  type Looked,
  lookAt,
  REMOVE,
  type RemovalFacts,
  type RemovalParts,
  refuse,
  saveAll,
  uninterrupted,
} from '../removal/remove.js';
import { repair } from '../removal/repairs.js';
import { RESTORE, restore } from '../removal/restore.js';
import { unsave } from '../removal/save.js';
import type { Target } from '../removal/target.js';
import { telling, withFacts } from './telling.js';

type RemovalHandlers = Pick<
  HandlersIn<'worktree', 'git-service', HandlerContext>,
  'worktree.remove' | 'worktree.recover' | 'worktree.doctor'
>;
type Removed = Result<'worktree.remove'>;

const REPAIRS: readonly string[] = ['unlock', 'prune', 'relink'] satisfies Repair[];

export const removalParts = (kit: GitKit): RemovalParts => ({
  bus: kit.bus,
  recovered: new RecoveredFolder(kit.recoveredFolder),
});

/** Worktrees that go, and what is kept of them. */
export function removalHandlers(kit: GitKit): RemovalHandlers {
  const parts = removalParts(kit);
  return {
    'worktree.remove': async (params, ctx) => {
      const repository = await repositoryAt(params.repo, ctx.signal);
      const { commonDir } = repository;
      return kit.changes.ofRepo(commonDir, ctx, () => remove(kit, parts, repository, params, ctx));
    },
    'worktree.recover': async (params, ctx) => {
      const repository = await repositoryAt(params.repo, ctx.signal);
      return recover(kit, parts, repository, params, ctx);
    },
    'worktree.doctor': async (params, ctx) => {
      const repository = await repositoryAt(params.repo, ctx.signal);
      return doctor(kit, parts, repository, params, ctx);
    },
  };
}

async function remove(
  kit: GitKit,
  parts: RemovalParts,
  repository: Repository,
  { path, branch, force = false, dry_run = false, window_id }: Params<'worktree.remove'>,
  ctx: HandlerContext,
): Promise<Removed> {
  const { operations } = kit.changes;
  const target = await targetOrNote(kit, repository, { path, branch }, ctx.signal);
  if ('removed' in target) return target;
  const identity = JSON.stringify([REMOVE, target.commonDir, target.path]);
  return telling(operations, identity, async (recovered) => {
    const { workspace, agents } = await occupantsOf(kit.bus, target.path, onBehalfOf(ctx), window_id);
    const looked = await lookAt(target, agents, ctx.signal);
    const about = { path: target.path, branch: target.branch };
    const answer = { ...about, inventory: looked.items.map(copied), recovered };
    if (dry_run) return { ...NOTHING_DONE, ...answer, removed: false };
    await refuse(target, looked, force);
    const facts: RemovalFacts = { ...about, name: target.name, force, workspace };
    const operation = await operations.begin({ kind: REMOVE, repo: target.commonDir, identity, facts: { ...facts } });
    const { saved, closed } = await carriedOut(parts, target, looked, operation, { force, workspace }, ctx);
    return {
      ...answer,
      ...closedFields(closed),
      removed: true,
      recovery: saved === null ? null : savedFields(parts, saved),
      left_behind: (await isThere(target.path)) ? target.path : null,
    };
  });
}

async function carriedOut(
  parts: RemovalParts,
  target: Target,
  looked: Looked,
  operation: Operation,
  options: { force: boolean; workspace: WorkspaceName | null },
  { signal, caller }: HandlerContext,
): Promise<{ saved: Manifest | null; closed: Closed }> {
  let saved: Manifest | null = null;
  try {
    saved = await saveAll(parts, target, looked, { operation, force: options.force, reason: 'remove', signal });
    const closed = await carryOut(parts, target, operation, { ...options, caller, signal });
    await operation.done();
    return { saved, closed };
  } catch (error) {
    // Once the worktree is gone, or half of it, what is left is done by recovery: at the next call, or right after a start.
    if (operation.did('removed') !== undefined) throw withFacts(error, { removed: true, path: target.path });
    if (operation.did('removing') !== undefined && isCutOff(error)) throw error;
    const refused = operation.did('removing') === undefined || (error as { code?: unknown }).code === 'worktree_dirty';
    if (saved !== null && refused) await unsave(parts.recovered, saved, operation.id, uninterrupted());
    await operation.done();
    throw refused ? error : withFacts(error, { recovery_id: saved?.id ?? null });
  }
}

/** git did not end by itself: nobody knows how far it came. */
function isCutOff(error: unknown): boolean {
  if (!(error instanceof SwitchyardError)) return true;
  return error.code === 'timeout' || error.data?.['exit_code'] === null;
}

const NOTHING_DONE = { recovery: null, kept_workspace: null, left_behind: null, recovered: null } as const;

/** The worktree; or, when it is gone because an earlier call was cut off and completed, the answer to that. */
async function targetOrNote(
  kit: GitKit,
  repository: Repository,
  which: { path: string | undefined; branch: string | undefined },
  signal: AbortSignal,
): Promise<Target | Removed> {
  try {
    return await removalTarget(repository, which, signal);
  } catch (error) {
    if (!(error instanceof SwitchyardError) || error.code !== 'worktree_not_found') throw error;
    const wanted = which.path === undefined ? undefined : absolutePath(which.path, 'path');
    const told = await kit.changes.operations.takeNoteOf(({ kind, repo, facts, outcome }) => {
      const { path, branch } = facts as unknown as RemovalFacts;
      const isMeant = wanted === undefined ? branch === which.branch : path === wanted;
      return kind === REMOVE && repo === repository.commonDir && outcome?.recovered === 'completed' && isMeant;
    });
    if (told === null) throw error;
    const { path, branch } = told.facts as unknown as RemovalFacts;
    return { ...NOTHING_DONE, removed: true, path, branch, inventory: [], recovered: told.note };
  }
}

function closedFields({ closed, kept }: Closed) {
  return {
    ...(closed !== null && {
      closed_workspace_id: closed.workspace_id,
      closed_workspace_ref: closed.workspace_ref,
    }),
    kept_workspace: kept,
  };
}

function savedFields({ recovered }: RemovalParts, manifest: Manifest) {
  const { id, createdAt, ref, archive, leftOut } = manifest;
  return {
    id,
    created_at: createdAt,
    ref,
    archive: recovered.archiveOf(id),
    files: archive.files,
    bytes: archive.bytes,
    left_out: leftOut,
  };
}

async function recover(
  kit: GitKit,
  parts: RemovalParts,
  { commonDir }: Repository,
  { id, path, drop = false }: Params<'worktree.recover'>,
  ctx: HandlerContext,
): Promise<Result<'worktree.recover'>> {
  if (id === undefined && (drop || path !== undefined)) fail('invalid_params', '`path` and `drop` go with `id`.');
  if (drop && path !== undefined) fail('invalid_params', 'Give `path` to restore or `drop` to delete, not both.');
  const manifest = id === undefined ? undefined : await parts.recovered.get(id, commonDir);
  const made =
    manifest === undefined || drop ? null : await makeAgain(kit, parts, manifest, path ?? manifest.path, ctx);
  if (manifest !== undefined && drop) {
    await kit.changes.ofRepo(commonDir, ctx, () => unsave(parts.recovered, manifest, manifest.id, ctx.signal));
  }
  const recoveries = (await parts.recovered.list(commonDir)).map((each) => ({
    ...savedFields(parts, each),
    path: each.path,
    branch: each.branch,
    head: each.head,
    reason: each.reason,
    items: each.items.map(({ kind, count }) => ({ kind, count })),
  }));
  return {
    recoveries,
    restored: made?.restored ?? null,
    dropped: manifest !== undefined && drop,
    recovered: made?.recovered ?? null,
  };
}

function makeAgain(kit: GitKit, parts: RemovalParts, manifest: Manifest, wanted: string, ctx: HandlerContext) {
  const { repo } = manifest;
  const { operations } = kit.changes;
  const path = absolutePath(wanted, 'path');
  const identity = JSON.stringify([RESTORE, repo, path]);
  return kit.changes.ofRepo(repo, ctx, () =>
    telling(operations, identity, async (recovered) => {
      const operation = await operations.begin({ kind: RESTORE, repo, identity, facts: { path } });
      try {
        const restored = await restore(parts.recovered, manifest, { repo, path, operation, signal: ctx.signal });
        return { restored, recovered };
      } finally {
        await operation.done();
      }
    }),
  );
}

async function doctor(
  kit: GitKit,
  parts: RemovalParts,
  { commonDir, top }: Repository,
  { path, repair: asked = [] }: Params<'worktree.doctor'>,
  ctx: HandlerContext,
): Promise<Result<'worktree.doctor'>> {
  const unknown = asked.filter((word) => !REPAIRS.includes(word));
  if (unknown.length > 0) fail('invalid_params', '`repair` takes unlock, prune and relink.', { known: REPAIRS });
  const wanted = new Set(asked as Repair[]);
  const find = async () => {
    const all = await worktreesOf({ commonDir }, ctx.signal);
    const main = all.find(({ isMain }) => isMain)?.path;
    const places = [join(kit.worktreesFolder, repositoryName(all, commonDir)), ...(main ? [dirname(main)] : [])];
    const found = await examine(commonDir, places, ctx.signal);
    if (path === undefined) return found;
    const meant = absolutePath(path, 'path');
    return found.filter((finding) => finding.path === meant || finding.found_at === meant);
  };
  if (wanted.size === 0) return { repo: top, findings: (await find()).map((each) => found(each, [], null)) };
  return kit.changes.ofRepo(commonDir, ctx, async () => {
    const findings: Result<'worktree.doctor'>['findings'] = [];
    const options = { commonDir, wanted, operations: kit.changes.operations, signal: ctx.signal };
    // A registration without a place comes last: see `repair`.
    const ordered = (await find()).sort((a, b) => Number(a.path === null) - Number(b.path === null));
    for (const finding of ordered) {
      const { done, recovery_id } = await repair(parts, finding, options);
      findings.push(found(finding, done, recovery_id));
    }
    return { repo: top, findings };
  });
}

function found(
  finding: Awaited<ReturnType<typeof examine>>[number],
  done: readonly Repair[],
  recovery_id: string | null,
): Result<'worktree.doctor'>['findings'][number] {
  return { ...finding, states: [...finding.states], repairs: [...finding.repairs], done: [...done], recovery_id };
}

const copied = <T extends { readonly entries: readonly string[] }>(item: T) => ({
  ...item,
  entries: [...item.entries],
});

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
