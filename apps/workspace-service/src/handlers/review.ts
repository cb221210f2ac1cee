import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import { isLastInWorkspace, removeSurface } from '../domain/closing.js';
import { directoryOf } from '../domain/creating.js';
import { at, type SurfacePlace } from '../domain/resolve.js';
import { isReview, openReview, type ReviewPlace, resolveReview, reviewedSurface } from '../domain/reviews.js';
import { ids, placed, where } from '../domain/views.js';
import { perform, type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';
import { checkPaneCap } from './targets.js';

type ReviewHandlers = HandlersIn<'review', 'workspace-service', Call>;

/** Where reviews are in the tree. What they show, and their comments, the git-service has. */
export function reviewHandlers(services: Services): ReviewHandlers {
  const { model } = services;
  return {
    'review.panel_source': (params) => {
      const place = reviewedSurface(model, params);
      return { ...placed(place), directory: directoryOf(model, place.surface) };
    },
    'review.panel_open': (params, call) => perform(services, call, () => opened(services, params)),
    'review.panel_find': (params) => found(resolveReview(model, params)),
    'review.panel_list': () => ({ reviews: listed(services) }),
    'review.close': async (params, call) => {
      const { reply, removed } = services.state.answer(call, () => closed(services, resolveReview(model, params)));
      services.endings.follow(removed);
      await settle(services, call);
      return reply;
    },
  };
}

/** Asked twice it is made once: the git-service chose its id. */
function opened(services: Services, params: Params<'review.panel_open'>): Result<'review.panel_open'> {
  const { model } = services;
  const source = at(model, params.source_surface_id);
  if (!model.surfaces.has(params.surface_id)) {
    checkPaneCap(services, source.workspace);
    const { surface_id: id, directory, direction, focus, mode, base_branch: baseBranch } = params;
    openReview(model, source, { id, directory, direction, focus, mode, baseBranch });
  }
  const place = at(model, params.surface_id);
  return { ...placed(place), ...ids('source_surface', source.surface), ...ids('source_pane', source.pane) };
}

function found(place: ReviewPlace): Result<'review.panel_find'> {
  const { surface } = place;
  const { source, mode, baseBranch } = surface.review;
  return {
    ...where(place),
    ...ids('surface', surface),
    ...ids('source_surface', source),
    directory: surface.launch.cwd,
    mode,
    base_branch: baseBranch,
  };
}

function listed({ model, agents }: Services): Result<'review.panel_list'>['reviews'] {
  return [...model.surfaces.values()].filter(isReview).map(({ id, review }) => {
    const { state, since } = agents.statusOf(review.source.id);
    const known = state === null ? { state: null, since: null } : { state, since };
    return { surface_id: id, source_surface_id: review.source.id, ...known };
  });
}

function closed({ model, endings }: Services, place: SurfacePlace) {
  if (isLastInWorkspace(model, place.surface)) {
    return fail('invalid_state', 'Cannot close the last surface', ids('surface', place.surface));
  }
  const removed = removeSurface(model, place.surface);
  endings.remember(model, removed, 'staged');
  return { reply: { ...where(place), ...ids('surface', place.surface) }, removed };
}
