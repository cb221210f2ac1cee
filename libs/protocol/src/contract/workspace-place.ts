import { method } from '../define.js';
import { ctx, handle, NO_NUL, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { ids, nullable } from './shapes.js';

const internal = { owner: 'workspace-service', visibility: 'internal' } as const;

const Place = Type.Object({
  ...ids('window', 'workspace'),
  directory: Type.String({ description: 'What the workspace was opened on; stays when its terminals go elsewhere.' }),
  current_directory: nullable(Type.String(), 'Where its focused terminal is.'),
});

/** What the git-service has to know of workspaces, and to change. */
export const workspacePlace = {
  'workspace.places': method({
    ...internal,
    effect: 'query',
    summary: 'The directories of all workspaces, those of the resolved window first.',
    params: params({ window_id: ctx.window_id }),
    result: result({ ...ids('window'), places: Type.Array(Place) }),
    errors: ['unavailable'],
  }),
  'workspace.set_directory': method({
    ...internal,
    effect: 'mutation',
    idempotent: true,
    summary: 'Gives a workspace another directory: it counts as opened on it, and new terminals fall back to it.',
    params: params({ workspace_id: handle('workspace'), directory: str('An absolute path.', NO_NUL) }),
    result: result(ids('window', 'workspace')),
    errors: ['not_found'],
  }),
} as const;
