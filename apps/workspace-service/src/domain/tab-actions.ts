import { fail, type Params, type Result } from '@switchyard/protocol';
import type { Id, SurfaceRecord } from './entities.js';
import type { Model } from './model.js';
import { insertAt, tabIndex, without } from './placement.js';
import type { SurfacePlace } from './resolve.js';
import { surfaceTitle } from './titles.js';

type Action = Params<'tab.action'>['action'];
type Field = Partial<Omit<Result<'tab.action'>, 'action'>>;

/** What an action changed, or what is left to do for it: surfaces to close, a terminal to open. */
export type TabOutcome =
  | { readonly is: 'done'; readonly field: Field }
  | { readonly is: 'close'; readonly surfaces: readonly SurfaceRecord[]; readonly skippedPinned: number }
  | { readonly is: 'open' };

const done = (field: Field = {}): TabOutcome => ({ is: 'done', field });

/**
 * Performs the part of a `tab.action` (programa-api §5.4) that concerns the model only.
 *
 * @throws `invalid_params` for a missing extra, `invalid_state` for what only a browser can do, `not_supported` for a
 *   browser
 */
export function performTabAction(model: Model, place: SurfacePlace, action: Action, title?: string): TabOutcome {
  const { id } = place.surface;
  switch (action) {
    case 'rename':
      if (title === undefined) return fail('invalid_params', 'Missing or invalid title', { parameter: 'title' });
      model.patchSurface(id, { customTitle: title });
      return done({ title });
    case 'clear_name':
      model.patchSurface(id, { customTitle: null });
      return done({ title: surfaceTitle(model.surface(id)) });
    case 'pin':
    case 'unpin':
      setPinned(model, place, action === 'pin');
      return done({ pinned: action === 'pin' });
    case 'mark_read':
    case 'mark_unread':
      model.patchSurface(id, { unread: action === 'mark_unread' });
      return done();
    case 'close_left':
    case 'close_right':
    case 'close_others':
      return closeMany(model, place, action);
    case 'new_terminal_right':
      return { is: 'open' };
    case 'new_browser_right':
      return fail('not_supported', 'This server has no browser surfaces');
    case 'reload':
    case 'duplicate':
      return fail('invalid_state', 'Only a browser surface can do this', { action, surface_id: id });
  }
}

/** Pinned tabs lead their pane: a fresh pin goes to the end of that group, a fresh unpin right behind it. */
function setPinned(model: Model, { pane, surface }: SurfacePlace, pinned: boolean): void {
  if (surface.pinned === pinned) return;
  model.patchSurface(surface.id, { pinned });
  const others = without(pane.surfaceIds, surface.id);
  const index = tabIndex(model, others, pinned ? others.length : 0, pinned);
  model.patchPane(pane.id, { surfaceIds: insertAt(others, index, surface.id) });
}

function closeMany(
  model: Model,
  { pane, surface }: SurfacePlace,
  action: 'close_left' | 'close_right' | 'close_others',
): TabOutcome {
  const index = pane.surfaceIds.indexOf(surface.id);
  const candidates: Id[] = {
    close_left: pane.surfaceIds.slice(0, index),
    close_right: pane.surfaceIds.slice(index + 1),
    close_others: without(pane.surfaceIds, surface.id),
  }[action];
  const found = candidates.map((id) => model.surface(id));
  const surfaces = found.filter((other) => !other.pinned);
  return { is: 'close', surfaces, skippedPinned: found.length - surfaces.length };
}
