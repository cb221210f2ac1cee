import { resolveSurface } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { SurfaceHandlers } from './surface.js';

/** What programs report of themselves is kept by the screen that heard it. */
export function statusRecordsHandler({ model, terminals }: Services): SurfaceHandlers['surface.status_records'] {
  return async (params, call) => {
    const place = resolveSurface(model, params, 'not_found');
    const asked = { surface_id: place.surface.id };
    const said = await terminals.ask('terminal.status_records', place.surface, asked, call);
    return { ...where(place), ...ids('surface', place.surface), ...said };
  };
}
