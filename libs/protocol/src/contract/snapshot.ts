import { method } from '../define.js';
import { opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;

const Snapshot = Type.Object({
  id: Type.String(),
  saved_at: Type.String({ description: 'ISO 8601.' }),
  created_at: Type.Number({ description: 'Unix seconds.' }),
  clean_shutdown: nullable(Type.Boolean()),
  window_count: Type.Integer(),
  workspace_count: Type.Integer(),
  panel_count: Type.Integer(),
});

export const snapshot = {
  'snapshot.list': method({
    ...owner,
    effect: 'query',
    summary: 'Saved pictures of all windows, newest first.',
    params: params({}),
    result: result({ snapshots: Type.Array(Snapshot) }),
  }),
  'snapshot.restore': method({
    ...owner,
    effect: 'mutation',
    summary: 'Adds the windows of a saved picture to those that are open.',
    params: params({ id: opt(str('Which one; absent or `latest`: the newest.')) }),
    result: result({
      restored: Type.Object({ windows: Type.Integer(), workspaces: Type.Integer(), panels: Type.Integer() }),
    }),
    errors: ['not_found', 'version_mismatch'],
    risks: ['Starts a shell for every terminal that was saved.'],
  }),
} as const;
