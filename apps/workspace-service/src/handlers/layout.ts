import { fail, type Handler, type HandlersIn, type Params, type Result, SwitchyardError } from '@switchyard/protocol';
import { directoryOf, paneCount } from '../domain/creating.js';
import type { Id, WorkspaceRecord } from '../domain/entities.js';
import { optionalId } from '../domain/handles.js';
import { type Built, buildInNewWorkspace, buildInWorkspace, type Placed } from '../domain/layout-build.js';
import { captureLayout } from '../domain/layout-capture.js';
import { type LayoutPlan, type PlanNode, planLayout } from '../domain/layout-plan.js';
import type { Model } from '../domain/model.js';
import { resolveDirectory } from '../domain/paths.js';
import { at, resolvePlace, resolveWindow } from '../domain/resolve.js';
import { type Footprint, footprint, reverse } from '../domain/reversal.js';
import { LAYOUT_VERSION, LayoutProblem, paneCount as layoutPanes, surfaceCount } from '../domain/saved-layout.js';
import { ids, where } from '../domain/views.js';
import type { LayoutFile } from '../layout-files.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { placeOf } from './targets.js';

type LayoutHandlers = HandlersIn<'layout', 'workspace-service', Call>;
type Applied = Result<'layout.apply'>;
type AppliedRow = Applied['surfaces'][number];

export function layoutHandlers(services: Services): LayoutHandlers {
  const { layouts } = services;
  return {
    'layout.save': saveHandler(services),
    'layout.apply': applyHandler(services),
    'layout.list': async () => {
      const { files, unreadable } = await layouts.list();
      return { layouts: files.map((file) => ({ ...headOf(file), ...countsOf(file.saved.layout) })), unreadable };
    },
    'layout.get': async ({ name }) => {
      const file = await layouts.read(name);
      return { ...headOf(file), layout: file.saved.layout as Result<'layout.get'>['layout'] };
    },
    'layout.delete': async ({ name }) => {
      const place = await layouts.place(name);
      if (!place.exists) return fail('not_found', 'There is no such layout', { layout: name });
      await layouts.remove(place);
      return { name, path: place.path };
    },
  };
}

const headOf = ({ name, path, saved }: LayoutFile) => ({ name, path, saved_at: saved.savedAt });

const countsOf = (layout: Parameters<typeof layoutPanes>[0]) => ({
  pane_count: layoutPanes(layout),
  surface_count: surfaceCount(layout),
});

function saveHandler({ model, layouts, agents }: Services): Handler<'layout.save', Call> {
  return async (params) => {
    const { name, force = false, env = false } = params;
    const { workspace } = resolvePlace(model, params);
    const place = await layouts.place(name);
    if (place.exists && !force) {
      const facts = { name, path: place.path };
      return fail('already_exists', 'There is a layout of that name; `force` replaces it', facts);
    }
    const { schema } = place.folder;
    const layout = captureLayout(model, workspace, { schema, env, agentNameOf: (id) => agents.nameOf(id) });
    if (layout === null) {
      return fail('no_active_workspace', 'Nothing in the workspace can be saved', ids('workspace', workspace));
    }
    // Seconds: the peer reads no fractions.
    const savedAt = `${new Date(model.now()).toISOString().slice(0, 19)}Z`;
    await layouts.write(place, { schemaVersion: LAYOUT_VERSION, name, savedAt, layout });
    return { name, path: place.path, ...countsOf(layout) };
  };
}

/** All surfaces appear in one change; the answer comes when each program runs or has failed to start. */
function applyHandler(services: Services): Handler<'layout.apply', Call> {
  return async (params, call) => {
    const { layouts } = services;
    const file = await layouts.read(params.name);
    const earlier = builtBefore(services, call);
    if (earlier !== undefined) return finish(services, file, { ...earlier, skipped: [], prints: null }, call);
    return finish(services, file, build(services, file, params, call), call);
  };
}

interface Application extends Built {
  readonly skipped: LayoutPlan['skipped'];
  /** To take it all back; null: an earlier run of the call did it. */
  readonly prints: Footprint | null;
}

/** An earlier run of this request got as far as the model. */
function builtBefore({ model }: Services, { requestId, resumed }: Call): Built | undefined {
  if (!resumed || requestId === undefined) return undefined;
  const workspace = [...model.workspaces.values()].find(({ appliedBy }) => appliedBy === requestId);
  if (workspace === undefined) return undefined;
  const placed = model
    .surfacesIn(workspace)
    .filter(({ declared }) => declared !== undefined)
    .map((surface) => ({ surface, isReused: false, title: surface.customTitle, agentName: null }));
  return { workspaceId: workspace.id, placed, removed: null };
}

function build(services: Services, file: LayoutFile, params: Params<'layout.apply'>, call: Call): Application {
  const { state, endings, announcer } = services;
  const made = state.begin(call, (model) => {
    const { built, plan } = place(services, file, params);
    const { requestId } = call;
    if (requestId !== undefined) model.patchWorkspace(built.workspaceId, { appliedBy: requestId });
    for (const { surface, agentName } of built.placed) expectAgent(services, surface.id, agentName);
    if (built.removed !== null) endings.remember(model, built.removed, 'staged');
    return { ...built, skipped: plan.skipped, prints: footprint(model) };
  });
  announcer.focus(call);
  return made;
}

function expectAgent({ model, agents }: Services, id: Id, name: string | null): void {
  if (name !== null && agents.named(name) === undefined) agents.expect(model, id, name, null);
}

function place(
  services: Services,
  file: LayoutFile,
  params: Params<'layout.apply'>,
): { built: Built; plan: LayoutPlan } {
  const { model, config } = services;
  const workspaceId = optionalId(model, 'workspace', params.workspace_id);
  if (workspaceId !== undefined) {
    const { workspace } = resolvePlace(model, params);
    const plan = planFor(services, file, params, workspace.directory, roomIn(services, workspace));
    return { plan, built: buildInWorkspace(model, workspace.id, rootOf(plan, file)) };
  }
  const window = resolveWindow(model, params);
  const beside = model.focusedSurface(model.workspace(window.selectedId));
  const { paneCap, newWorkspace } = config().rules;
  const directory = directoryOf(model, beside);
  const plan = planFor(services, file, params, directory, paneCap);
  const given = { title: params.title, directory: baseOf(services, params, directory) };
  return { plan, built: buildInNewWorkspace(model, window.id, newWorkspace, given, rootOf(plan, file)) };
}

/** The layout takes the place of an only terminal. */
function roomIn({ config }: Services, workspace: WorkspaceRecord): number {
  const taken = paneCount(workspace);
  return Math.max(0, config().rules.paneCap - (taken === 1 ? 0 : taken));
}

function baseOf({ config }: Services, { cwd }: Params<'layout.apply'>, directory: string): string {
  return cwd === undefined ? directory : resolveDirectory(cwd, directory, config().home);
}

function planFor(
  services: Services,
  file: LayoutFile,
  params: Params<'layout.apply'>,
  directory: string,
  room: number,
): LayoutPlan {
  const { openings, config } = services;
  const context = {
    base: baseOf(services, params, directory),
    home: config().home,
    host: openings.shell().host,
    room,
  };
  try {
    return planLayout(file.saved, context);
  } catch (error) {
    if (!(error instanceof LayoutProblem)) throw error;
    return fail('invalid_state', error.message, { layout: file.name, path: file.path, at: error.at });
  }
}

function rootOf({ root, skipped }: LayoutPlan, { name }: LayoutFile): PlanNode {
  return root ?? fail('not_supported', 'Nothing of this layout can be opened here', { layout: name, skipped });
}

async function finish(services: Services, file: LayoutFile, made: Application, call: Call): Promise<Applied> {
  const { state, openings, endings, terminals, commands } = services;
  const fresh = made.placed.filter(({ surface, isReused }) => !isReused && surface.exit === null);
  const starting = fresh.map(({ surface }) => surface);
  const failed = await openings.startTogether(starting, call);
  const [first] = failed.values();
  if (first !== undefined && failed.size === starting.length && takeBack(services, made, call)) throw first;
  if (failed.size > 0) state.change((model) => openings.leaveExited(model, failed));
  if (made.removed !== null) endings.follow(made.removed);
  for (const { surface } of made.placed) commands.typeInBackground(surface.id);
  await terminals.fit(state.takeTouched());
  return replyOf(services, file, made, failed);
}

/** Nothing of it runs: as if it had not been asked for. Answers false if somebody has used it already. */
function takeBack(services: Services, { prints, placed }: Application, call: Call): boolean {
  const { state, agents, announcer } = services;
  if (prints === null || placed.some(({ isReused }) => isReused)) return false;
  const isBack = state.undo(call, (model) => reverse(model, prints));
  if (isBack) for (const { surface } of placed) agents.forget(surface.id);
  announcer.focus();
  return isBack;
}

function replyOf(
  { model, agents }: Services,
  file: LayoutFile,
  made: Application,
  failed: ReadonlyMap<Id, SwitchyardError>,
): Applied {
  const { workspaceId, placed, skipped } = made;
  const there = placed.filter(({ surface }) => model.surfaces.has(surface.id));
  const remarks = placed
    .filter(({ surface, agentName }) => agentName !== null && agents.nameOf(surface.id) !== agentName)
    .map(({ agentName }) => `An agent named ${agentName} runs already; the new one has no name`);
  return {
    ...where(placeOf(model, workspaceId)),
    layout: file.name,
    complete: skipped.length === 0 && placed.every(({ surface }) => model.surfaces.get(surface.id)?.exit === null),
    surfaces: there.map((one) => rowOf(model, one, failed.get(one.surface.id) ?? endOf(model, one))),
    skipped: [...skipped],
    remarks,
  };
}

/** Of a surface that an earlier run of the call could not start, or that has ended since. */
function endOf(model: Model, { surface }: Placed): SwitchyardError | undefined {
  if (model.surface(surface.id).exit === null) return undefined;
  return new SwitchyardError('terminal_exited', 'Its program was not started, or has ended already');
}

function rowOf(model: Model, { surface, title, isReused }: Placed, error: SwitchyardError | undefined): AppliedRow {
  const { pane } = at(model, surface.id);
  const started = isReused ? ('reused' as const) : ('started' as const);
  return {
    ...ids('pane', pane),
    ...ids('surface', surface),
    name: title,
    outcome: error === undefined ? started : 'failed',
    error: error === undefined ? null : { code: error.code, message: error.message },
  };
}
