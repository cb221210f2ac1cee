import { fail } from '@switchyard/protocol';
import { splitPane } from './creating.js';
import type { Id, Reviewed, SurfaceRecord } from './entities.js';
import { focusSurface } from './focus.js';
import { readHandle } from './handles.js';
import type { Model } from './model.js';
import { at, type Context, resolvePlace, resolveSurface, type SurfacePlace } from './resolve.js';
import type { Direction } from './split-tree.js';

/** A surface of type `review` with what it is about. */
export type ReviewRecord = SurfaceRecord & { readonly review: Reviewed };
export type ReviewPlace = SurfacePlace & { readonly surface: ReviewRecord };

export interface NewReview extends Omit<Reviewed, 'source'> {
  readonly id: Id;
  /** Top of the worktree. */
  readonly directory: string;
  readonly direction: Direction;
  readonly focus: boolean;
}

export const isReview = (surface: SurfaceRecord): surface is ReviewRecord => surface.review !== undefined;

/** A review in a new pane beside the surface that it is about. The focus stays, or goes to it as with surface.focus. */
export function openReview(model: Model, source: SurfacePlace, given: NewReview): SurfaceRecord {
  const { id, directory, direction, focus, mode, baseBranch } = given;
  const pane = splitPane(model, source.pane.id, direction);
  model.surfaces.put({
    id,
    ref: model.nextRef('surface'),
    paneId: pane.id,
    type: 'review',
    review: { source: { id: source.surface.id, ref: source.surface.ref }, mode, baseBranch },
    host: source.surface.host,
    customTitle: null,
    processTitle: null,
    pinned: false,
    unread: false,
    launch: { argv: null, cwd: directory, env: {} },
    cwd: null,
    remainOnExit: false,
    exit: null,
    size: null,
    startedAt: model.now(),
  });
  model.panes.put({ ...pane, surfaceIds: [id], selectedId: id });
  if (focus) focusSurface(model, id);
  return model.surface(id);
}

/**
 * The surface that a review would be about: the one named, else the focused one; of a review what that is about.
 *
 * @throws as {@link resolveSurface}, and `not_found` when what a review is about is gone
 */
export function reviewedSurface(model: Model, context: Context): SurfacePlace {
  const place = resolveSurface(model, context);
  return isReview(place.surface) ? at(model, place.surface.review.source.id) : place;
}

/**
 * The review that is meant (programa-api §8.3): the one named, else the focused surface if it is one, else any in the
 * workspace.
 *
 * @throws `not_found` when the surface named is no review, or there is none; and as {@link resolvePlace}
 */
export function resolveReview(model: Model, context: Context): ReviewPlace {
  const place = resolveSurface(model, context);
  const found = asReview(place);
  if (found) return found;
  if (readHandle(model, 'surface', context.surface_id ?? context.tab_id).is === 'known') {
    return fail('not_found', 'This surface is no review', { surface_id: place.surface.id });
  }
  const { workspace } = resolvePlace(model, context);
  const any = model.surfacesIn(workspace).find(isReview);
  return (
    (any && asReview(at(model, any.id))) ?? fail('not_found', 'There is no review', { workspace_id: workspace.id })
  );
}

function asReview(place: SurfacePlace): ReviewPlace | undefined {
  const { surface } = place;
  return isReview(surface) ? { ...place, surface } : undefined;
}
