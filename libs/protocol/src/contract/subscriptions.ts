import { method } from '../define.js';
import { aliasOf, handle, int, oneOf, opt, params, raw, result, str, strings, stringsOrNone } from '../params.js';
import { Type } from '../schema.js';
import { after, eventFilter, Gap, someKinds } from './event-shapes.js';
import { ids } from './shapes.js';

const subscription_id = Type.String();

/** What happens, pushed. A subscription belongs to its connection and ends with it. */
const subscribing = {
  'events.subscribe': method({
    owner: 'gateway',
    effect: 'query',
    summary:
      'Pushes events to this connection from now on, or from a cursor. Everything is checked before the answer; the ' +
      'first event follows it. A reader that is slow gets all the same events later, and a `gap` for those that have ' +
      'expired by then.',
    params: params({
      kinds: someKinds(' Besides them `surface.output`, `output_matched`, `agent_status`.'),
      ...eventFilter,
      cursor: opt(after),
      pattern: opt(raw('Regular expression of `output_matched`, in the dialect of `surface.wait`.')),
      lines: opt(int('`output_matched` looks at the last so many lines. Default 50.', { minimum: 1 })),
      agent_states: opt(
        Type.Array(oneOf(['working', 'blocked', 'idle'], 'A state.'), {
          'x-form': 'strings',
          minItems: 1,
          description: '`agent_status` tells only of these states. Default: all, also that none is known.',
        }),
      ),
    }),
    result: result({
      subscription_id,
      kinds: Type.Array(Type.String(), { description: 'Each by its name.' }),
      cursor: Type.String({ description: 'Events after it are pushed.' }),
      gap: Type.Optional(Gap),
      matching: Type.Array(Type.String(), {
        description:
          'Surfaces whose text matches the pattern already: `output_matched` tells of them once it is gone and back.',
      }),
    }),
    errors: ['not_found'],
  }),
  'events.unsubscribe': method({
    owner: 'gateway',
    effect: 'query',
    summary:
      'Ends a subscription or stream of this connection, or all of them. Nothing of it is pushed after the answer.',
    params: params({ subscription_id: opt(str('Default: all of this connection.')) }),
    result: result({ unsubscribed: Type.Boolean({ description: 'false: there was none.' }) }),
  }),
  'surface.stream': method({
    owner: 'gateway',
    effect: 'query',
    selfService: true,
    summary:
      'Pushes the exact output of a terminal, as frames with offset and base64. As fast as the reader takes it; what it ' +
      'has not taken waits in the log of the terminal, and a `gap` tells of what the log no longer has.',
    params: params({
      surface_id: handle('surface'),
      tab_id: aliasOf('surface_id'),
      offset: opt(int('Where to begin. Default: the end of the output so far.', { minimum: 0 })),
    }),
    result: result({
      subscription_id,
      ...ids('surface'),
      offset: Type.Integer({ description: 'The first frame begins here.' }),
    }),
    errors: ['not_found'],
  }),
} as const;

/** The subscriptions of the peer (programa-api §7.3): at most one a connection, a second replaces it. */
const peer = {
  subscribe: method({
    owner: 'gateway',
    effect: 'query',
    summary:
      'Pushes frames of some classes to this connection, in the shape that clients of Programa expect. A reader that is ' +
      'slow loses the oldest and is told how many (`dropped`); `events.subscribe` loses none.',
    params: params({
      classes: strings('Any of `agent_state`, `output`, `workspace_lifecycle`.'),
      surface_ids: opt(stringsOrNone('Whose output; needed with `output`.')),
    }),
    result: result({
      subscription_id,
      classes: Type.Array(Type.String()),
      surface_ids: Type.Array(Type.String()),
      max_queued_events: Type.Integer(),
    }),
    errors: ['not_found'],
  }),
  unsubscribe: method({
    owner: 'gateway',
    effect: 'query',
    summary: 'Ends the subscription of this connection, if it has one. Nothing of it is pushed after the answer.',
    params: params({}),
    result: result({ unsubscribed: Type.Boolean() }),
  }),
} as const;

export const subscriptions = { ...subscribing, ...peer } as const;
