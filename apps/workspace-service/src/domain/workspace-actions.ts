import { fail, type Params, type Result } from '@switchyard/protocol';
import { type Removed, removeWorkspace } from './closing.js';
import { NAMED_COLOURS, parseColour } from './colours.js';
import type { Id } from './entities.js';
import type { Model } from './model.js';
import { reorderWorkspace } from './moving.js';
import type { Place } from './resolve.js';
import { workspaceTitle } from './titles.js';

type Action = Params<'workspace.action'>['action'];
type Given = Pick<Params<'workspace.action'>, 'title' | 'description' | 'color'>;
type Field = Partial<Omit<Result<'workspace.action'>, 'action'>>;

/** What an action changed: its field of the reply, and the workspaces it closed. */
export interface ActionOutcome {
  readonly field: Field;
  readonly removed: readonly Removed[];
}

const MISSING = (name: string): never => fail('invalid_params', `Missing or invalid ${name}`, { parameter: name });

/** Performs a `workspace.action` (programa-api §5.3). @throws `invalid_params` for a missing or wrong extra */
export function performWorkspaceAction(model: Model, place: Place, action: Action, given: Given): ActionOutcome {
  const { id } = place.workspace;
  switch (action) {
    case 'pin':
    case 'unpin':
      return changed({ pinned: setPinned(model, place, action === 'pin') });
    case 'rename':
      model.patchWorkspace(id, { customTitle: given.title ?? MISSING('title') });
      return changed({ title: workspaceTitle(model, model.workspace(id)) });
    case 'clear_name':
      model.patchWorkspace(id, { customTitle: null });
      return changed({ title: workspaceTitle(model, model.workspace(id)) });
    case 'set_description':
      model.patchWorkspace(id, { description: given.description ?? MISSING('description') });
      return changed({ description: model.workspace(id).description });
    case 'clear_description':
      model.patchWorkspace(id, { description: null });
      return changed({ description: null });
    case 'move_up':
    case 'move_down':
    case 'move_top':
      return changed({ index: move(model, place, action) });
    case 'close_others':
    case 'close_above':
    case 'close_below':
      return closeMany(model, place, action);
    case 'mark_read':
    case 'mark_unread':
      model.patchWorkspace(id, { unread: action === 'mark_unread' });
      return changed({});
    case 'set_color':
      model.patchWorkspace(id, { color: colour(given.color) });
      return changed({ color: model.workspace(id).color });
    case 'clear_color':
      model.patchWorkspace(id, { color: null });
      return changed({ color: null });
  }
}

const changed = (field: Field): ActionOutcome => ({ field, removed: [] });

/** Pinned workspaces lead the list: a fresh pin goes to the end of that group, a fresh unpin right behind it. */
function setPinned(model: Model, { window, workspace }: Place, pinned: boolean): boolean {
  if (workspace.pinned === pinned) return pinned;
  model.patchWorkspace(workspace.id, { pinned });
  const end = pinned ? window.workspaceIds.length : 0;
  reorderWorkspace(model, model.workspace(workspace.id), { index: end });
  return pinned;
}

function move(model: Model, { window, workspace }: Place, action: 'move_up' | 'move_down' | 'move_top'): number {
  const index = window.workspaceIds.indexOf(workspace.id);
  const target = { move_up: index - 1, move_down: index + 1, move_top: 0 }[action];
  return reorderWorkspace(model, workspace, { index: target });
}

function closeMany(
  model: Model,
  { window, workspace }: Place,
  action: 'close_others' | 'close_above' | 'close_below',
): ActionOutcome {
  const index = window.workspaceIds.indexOf(workspace.id);
  const candidates: Id[] = {
    close_others: window.workspaceIds.filter((id) => id !== workspace.id),
    close_above: window.workspaceIds.slice(0, index),
    close_below: window.workspaceIds.slice(index + 1),
  }[action];
  const closing = candidates.map((id) => model.workspace(id)).filter((other) => !other.pinned);
  const removed = closing.map((other) => removeWorkspace(model, other));
  return { field: { closed: removed.length }, removed };
}

function colour(text: string | undefined): string {
  return (
    (text === undefined ? undefined : parseColour(text)) ??
    fail('invalid_params', 'Not a colour: use #RRGGBB or one of the names', {
      color: text ?? null,
      named_colors: Object.keys(NAMED_COLOURS),
    })
  );
}
