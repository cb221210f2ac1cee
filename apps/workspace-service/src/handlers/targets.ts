import { fail } from '@switchyard/protocol';
import { directoryOf, type NewTerminal, paneCount } from '../domain/creating.js';
import type { Id, PaneRecord, SurfaceRecord, WorkspaceRecord } from '../domain/entities.js';
import { optionalId, readHandle, requiredId } from '../domain/handles.js';
import { type ProgramParams, planTerminal, type Surroundings } from '../domain/launch.js';
import type { Model } from '../domain/model.js';
import type { Anchor } from '../domain/placement.js';
import { at, type Context, type Place, resolvePlace, type SurfacePlace } from '../domain/resolve.js';
import type { Services } from '../services.js';

/** A workspace with its window. */
export function placeOf(model: Model, workspaceId: Id): Place {
  const workspace = model.workspace(workspaceId);
  return { window: model.window(workspace.windowId), workspace };
}

/** A pane with its selected surface, workspace and window. */
export const paneAt = (model: Model, paneId: Id): SurfacePlace => at(model, model.pane(paneId).selectedId);

/**
 * The pane named, which must be in the workspace named if one is; else the focused pane of the resolved workspace.
 *
 * @throws `not_found`, `unavailable`
 */
export function resolvePane(model: Model, context: Context & { readonly pane_id?: string | undefined }): SurfacePlace {
  const id = optionalId(model, 'pane', context.pane_id);
  if (id === undefined) return paneAt(model, resolvePlace(model, context).workspace.focusedPaneId);
  return checkWorkspace(model, context, model.pane(id));
}

/** @throws `invalid_params` when it is missing, `not_found` */
export function requirePane(model: Model, context: Context & { readonly pane_id?: string | undefined }): SurfacePlace {
  return checkWorkspace(model, context, model.pane(requiredId(model, 'pane', context.pane_id)));
}

function checkWorkspace(model: Model, context: Context, pane: PaneRecord): SurfacePlace {
  const named = readHandle(model, 'workspace', context.workspace_id);
  if (named.is === 'unknown') return fail('not_found', 'Workspace not found', { workspace_id: context.workspace_id });
  if (named.is === 'known' && named.id !== pane.workspaceId) {
    return fail('not_found', 'Pane not found', { pane_id: pane.id, workspace_id: named.id });
  }
  return paneAt(model, pane.id);
}

/** @param wanted the machine that the caller asks for; undefined: that of the surface */
export function surroundings(services: Services, surface: SurfaceRecord, wanted?: string): Surroundings {
  const { model, config, hosts, directory } = services;
  const { rules, home } = config();
  const host = directory.choose(wanted, surface.host);
  const there = hosts.presence(host);
  const place = { shell: there?.shell ?? rules.shell, home: there?.home ?? home, host };
  // A folder of one machine need not be on another.
  return { ...place, directory: host === surface.host ? directoryOf(model, surface) : place.home };
}

/** The terminal that a caller asks for beside a surface. */
export function planBeside(services: Services, params: ProgramParams, beside: SurfaceRecord): NewTerminal {
  return planTerminal(params, surroundings(services, beside, params.host));
}

/** @throws when the workspace has as many panes as it may: `internal_error` with compat (decision 3), else `invalid_state` */
export function checkPaneCap({ config }: Services, workspace: WorkspaceRecord): void {
  const { paneCap, compat } = config().rules;
  if (paneCount(workspace) < paneCap) return;
  fail(compat ? 'internal_error' : 'invalid_state', `A workspace has at most ${paneCap} panes`, { pane_cap: paneCap });
}

export interface AnchorParams {
  readonly index?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Exactly one of the three. @throws `invalid_params`, `not_found` for an anchor outside `siblings` */
export function exactAnchor(
  model: Model,
  kind: 'workspace' | 'surface',
  { index, before, after }: AnchorParams,
  siblings: readonly Id[],
  moved: Id,
): Anchor {
  if ([index, before, after].filter((value) => value !== undefined).length !== 1) {
    return fail('invalid_params', `Give exactly one of index, before_${kind}_id, after_${kind}_id`);
  }
  if (index !== undefined) return { index };
  const name = before === undefined ? `after_${kind}_id` : `before_${kind}_id`;
  const id = requiredId(model, kind, before ?? after, name);
  if (id === moved) return fail('invalid_params', 'It can not be its own anchor', { [name]: id });
  if (!siblings.includes(id)) return fail('not_found', `The ${kind} is elsewhere`, { [name]: id });
  return before === undefined ? { after: id } : { before: id };
}
