import { handles, opt, str, strings } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';

/** What a reader of events says and gets, whether it asks or is pushed to. */

/** What one reader may name; more is asked for with several. */
const MAX_NAMED = 256;
const named = { maxItems: MAX_NAMED };

export const cursor = Type.String({
  description: 'Where the reader is. Opaque; holds over restarts of every process.',
});
export const after = str('Only what came after it: the `cursor` of an answer or an event.');
export const place = {
  workspace_id: nullable(Type.String(), 'null: it is of no workspace.'),
  surface_id: nullable(Type.String(), 'null: it is of no surface.'),
};

export const someKinds = (more = '') =>
  strings(`Which kinds: \`workspace.renamed\`, all of a namespace as \`workspace.*\`, or \`*\`.${more}`, named);
export const eventFilter = {
  surfaces: opt(handles('surface', 'Only what happens in these surfaces: ids or refs.', named)),
  workspaces: opt(
    handles('workspace', 'Only what happens in these workspaces: ids or refs. With `surfaces`: in either.', named),
  ),
};

export const GapReason = Type.Enum(['expired', 'replaced', 'rewound'], {
  description:
    'expired: older than what is kept; replaced: the journal was lost and begun anew; rewound: a power cut took its end.',
});
export const Gap = Type.Object(
  {
    reason: GapReason,
    from: cursor,
    to: Type.String({ description: 'Cursor after which the events go on.' }),
    count: nullable(Type.Integer(), 'Events of all kinds that are gone; null: not known.'),
  },
  { description: 'Events are missing: look at the present state and go on from there.' },
);
