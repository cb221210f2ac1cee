import { fail, type Handler, type HandlersIn, type Result, type SwitchyardError } from '@switchyard/protocol';
import type { Id } from '../domain/entities.js';
import { formatRef } from '../domain/handles.js';
import type { Model } from '../domain/model.js';
import { countsOf, fingerprintOf, type Snapshot, type Topology } from '../domain/snapshot.js';
import { addWindows, isRestorable, type Restored, type RestoreResult, rollBackTo } from '../domain/snapshot-restore.js';
import { ids } from '../domain/views.js';
import type { RestoreReport } from '../restores.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';

type SnapshotHandlers = HandlersIn<'snapshot', 'workspace-service', Call>;
type Row = Result<'snapshot.list'>['snapshots'][number];
type RestoreReply = Result<'snapshot.restore'>;

export function snapshotHandlers(services: Services): SnapshotHandlers {
  const { snapshots, snapshotFiles, restores } = services;
  return {
    'snapshot.list': async () => {
      const rows: Row[] = [];
      for await (const snapshot of snapshotFiles.readable()) rows.push(rowOf(snapshot));
      return { snapshots: rows, last_restore: restores.last && reportRow(restores.last) };
    },
    'snapshot.save': async (_params, call) => rowOf(await snapshots.save('manual', call)),
    'snapshot.restore': restoreHandler(services),
    'snapshot.rollback': rollbackHandler(services),
    'snapshot.resume': ({ what = 'agents' }, call) => {
      const { model, revivals } = services;
      const stopped = [...model.surfaces.values()].filter((surface) => surface.stopped && surface.exit !== null);
      const started = stopped.filter((surface) => revivals.start(surface, what));
      const reply = (list: typeof stopped) => list.map((surface) => ids('surface', surface));
      const left = stopped.filter((surface) => !started.includes(surface));
      return services.state.answer(call, () => ({ reply: { started: reply(started), left: reply(left) } })).reply;
    },
  };
}

function rowOf({ id, savedAt, reason, cleanShutdown, topology }: Snapshot): Row {
  const { windows, workspaces, panels } = countsOf(topology);
  return {
    id,
    saved_at: new Date(savedAt).toISOString(),
    created_at: savedAt / 1000,
    reason,
    clean_shutdown: cleanShutdown,
    window_count: windows,
    workspace_count: workspaces,
    panel_count: panels,
  };
}

const reportRow = (report: RestoreReport): NonNullable<Result<'snapshot.list'>['last_restore']> => ({
  kind: report.kind,
  source: report.source,
  before: report.before,
  started_at: report.startedAt,
  attempts: report.attempts,
  confirmed_at: report.confirmedAt,
  running: report.running,
  problem_count: report.problemCount,
  problems: report.problems.map(({ surfaceId, title, outcome, reason }) => {
    return { surface_id: surfaceId, title, outcome, reason };
  }),
});

function restoreHandler(services: Services): Handler<'snapshot.restore', Call> {
  return async ({ id }, call) => {
    const snapshot = await chosen(services, id);
    return restore(services, { snapshot, kind: 'restore', change: addWindows }, call);
  };
}

function rollbackHandler(services: Services): Handler<'snapshot.rollback', Call> {
  return async ({ id }, call) => {
    const snapshot = id === undefined ? await lastDifferent(services) : await chosen(services, id);
    return restore(services, { snapshot, kind: 'rollback', change: rollBackTo }, call);
  };
}

/** @throws `not_found` for one that there is not, that can not be read, or that is empty; `version_mismatch` */
async function chosen({ snapshots, snapshotFiles }: Services, id: string | undefined): Promise<Snapshot> {
  if (id === undefined || id === 'latest') {
    return (await snapshots.latest()) ?? fail('not_found', 'There is no snapshot that could be restored');
  }
  const snapshot = await snapshotFiles.read(id);
  return isRestorable(snapshot.topology) ? snapshot : fail('not_found', 'The snapshot is empty', { id });
}

/** The newest that is not what is there now: so a rollback is undone by another one. */
async function lastDifferent({ snapshots, snapshotFiles }: Services): Promise<Snapshot> {
  const now = fingerprintOf(snapshots.topology());
  for await (const snapshot of snapshotFiles.readable()) {
    if (isRestorable(snapshot.topology) && fingerprintOf(snapshot.topology) !== now) return snapshot;
  }
  return fail('not_found', 'No snapshot differs from what is there now');
}

interface Wish {
  readonly snapshot: Snapshot;
  readonly kind: 'restore' | 'rollback';
  readonly change: (model: Model, topology: Topology) => RestoreResult;
}

/** What is there now is saved first; then the tree changes at once; then shells are started. */
async function restore(services: Services, wish: Wish, call: Call): Promise<RestoreReply> {
  const { snapshots, restores, announcer, openings, state, terminals } = services;
  const { snapshot, kind, change } = wish;
  const earlier = broughtBefore(services, call);
  const before =
    earlier === undefined ? (await snapshots.save('before_restore', call)).id : (restores.last?.before ?? null);
  const brought = earlier ?? state.begin(call, (model) => marked(model, change(model, snapshot.topology), call));
  const wanted = brought.surfaces.filter((one) => one.wanted === 'start');
  await restores.begin(
    kind,
    snapshot.id,
    before,
    wanted.map(({ id }) => id),
  );
  announcer.focus(call);
  if (earlier === undefined) await giveText(services, snapshot.id, wanted);
  for (const { id } of wanted) restores.hold(id);
  const starting = wanted.map(({ id }) => state.model.surface(id));
  const failed = await openings.startTogether(starting, call);
  if (failed.size > 0) state.change((model) => openings.leaveExited(model, failed));
  restores.confirmInBackground();
  await terminals.fit([...state.model.workspaces.values()].map(({ id }) => id));
  return replyOf(services, { brought, snapshot, before, failed });
}

/** A repeat of the request must find what it brought. */
function marked(model: Model, result: RestoreResult, { requestId }: Call): RestoreResult {
  if (requestId === undefined) return result;
  for (const windowId of result.windowIds) {
    for (const id of model.window(windowId).workspaceIds) model.patchWorkspace(id, { appliedBy: requestId });
  }
  return result;
}

/** An earlier run of this request got as far as the model. */
function broughtBefore({ model }: Services, { requestId, resumed }: Call): RestoreResult | undefined {
  if (!resumed || requestId === undefined) return undefined;
  const workspaces = [...model.workspaces.values()].filter(({ appliedBy }) => appliedBy === requestId);
  if (workspaces.length === 0) return undefined;
  const surfaces = workspaces
    .flatMap((workspace) => model.surfacesIn(workspace))
    .map(({ id, exit, unstarted }): Restored => {
      if (exit !== null) return { id, was: id, wanted: 'ended' };
      return { id, was: id, wanted: unstarted ? 'start' : 'running' };
    });
  return { surfaces, kept: [], windowIds: [...new Set(workspaces.map(({ windowId }) => windowId))] };
}

/** Terminals whose output is gone begin with what was saved of it. */
async function giveText(services: Services, snapshotId: string, wanted: readonly Restored[]): Promise<void> {
  const { snapshotFiles, state, config } = services;
  const texts = await snapshotFiles.readScrollback(snapshotId);
  const files = new Map<Id, string>();
  for (const { id, was } of wanted) {
    const text = texts[was];
    // The file is here; a shell on another host could not read it.
    if (text === undefined || state.model.surface(id).host !== config().host) continue;
    files.set(id, await snapshotFiles.writeReplay(id, `${text.trimEnd()}\n`));
  }
  if (files.size === 0) return;
  state.change((model) => {
    for (const [id, replay] of files) if (model.surfaces.has(id)) model.patchSurface(id, { replay });
  });
}

interface Outcome {
  readonly brought: RestoreResult;
  readonly snapshot: Snapshot;
  readonly before: string | null;
  readonly failed: ReadonlyMap<Id, SwitchyardError>;
}

function replyOf({ model }: Services, { brought, snapshot, before, failed }: Outcome): RestoreReply {
  const there = brought.surfaces.filter(({ id }) => model.surfaces.has(id));
  const workspaceIds = new Set(there.map(({ id }) => model.workspaceOf(model.surface(id)).id));
  return {
    id: snapshot.id,
    before,
    restored: {
      windows: brought.windowIds.filter((id) => model.windows.has(id)).length,
      workspaces: workspaceIds.size,
      panels: there.length,
    },
    surfaces: there.map((one) => surfaceRow(model, one, failed.get(one.id))),
    kept: brought.kept.map((id) => ({ surface_id: id, surface_ref: formatRef('surface', model.surface(id).ref) })),
  };
}

const OUTCOMES = { running: 'running', start: 'started', ended: 'ended' } as const;

function surfaceRow(model: Model, { id, was, wanted }: Restored, error: SwitchyardError | undefined) {
  return {
    surface_id: id,
    surface_ref: formatRef('surface', model.surface(id).ref),
    was,
    outcome: error === undefined ? OUTCOMES[wanted] : ('failed' as const),
    error: error === undefined ? null : { code: error.code, message: error.message },
  };
}
