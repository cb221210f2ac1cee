import { method } from '../define.js';
import type { JournalEvent } from '../events/journal.js';
import { aliasOf, int, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { AgentQuestion } from './agent-shapes.js';
import { after, cursor, eventFilter, Gap, GapReason, place, someKinds } from './event-shapes.js';
import { AgentState, AgentStateSource, nullable } from './shapes.js';

/** The longest time Node can wait with one timer. */
const MAX_WAIT_MS = 2_147_483_647;
const WAIT_DEFAULT_MS = 30_000;
/** A page: some hundred kilobytes. */
const MAX_LIMIT = 1000;

const journal = { owner: 'workspace-service', visibility: 'internal' } as const;
const seq = Type.Integer({ minimum: 0, description: 'Number of an event in the journal; 0: before the first.' });
const at = Type.Number({ description: 'Unix milliseconds.' });
const data = Type.Unsafe<object>({ type: 'object', description: 'By the kind: see the events of the contract.' });

const JournalRow = Type.Object({ seq, at, kind: Type.String(), ...place, data });
const Event = Type.Object({ cursor, kind: Type.String(), at, ...place, data });
const RowGap = Type.Object({ reason: GapReason, to: seq, count: nullable(Type.Integer()) });

/** What happened, for those who ask. */
const reading = {
  'events.read': method({
    owner: 'workspace-service',
    effect: 'query',
    summary: 'The events after a cursor, oldest first.',
    params: params({
      cursor: opt(str('Where to go on. Default: the oldest event that is kept.')),
      limit: opt(int('At most so many. Default 100.', { minimum: 0, maximum: MAX_LIMIT })),
      kinds: opt(someKinds()),
      ...eventFilter,
    }),
    result: result({
      events: Type.Array(Event),
      cursor,
      more: Type.Boolean({ description: 'There are later events already.' }),
      gap: Type.Optional(Gap),
    }),
    errors: ['not_found'],
  }),
  'events.wait': method({
    owner: 'workspace-service',
    effect: 'wait',
    summary: 'Waits for the next event that matches. Answers `not_found` at once when all the surfaces named are gone.',
    params: params({
      match: Type.Object(
        {
          kinds: opt(someKinds()),
          ...eventFilter,
          data: opt(
            Type.Unsafe<Record<string, unknown>>({
              type: 'object',
              description: 'Members that the data of the event must have, with these values.',
            }),
          ),
        },
        { additionalProperties: false, description: 'What to wait for.' },
      ),
      cursor: opt(after),
      timeout_ms: opt(int('Default 30000.', { minimum: 0, maximum: MAX_WAIT_MS })),
      timeout: aliasOf('timeout_ms'),
    }),
    result: result({ event: Event, cursor, gap: Type.Optional(Gap) }),
    errors: ['not_found'],
    deadlineMs: WAIT_DEFAULT_MS,
    timeoutParam: 'timeout_ms',
  }),
} as const;

/** Between our own services. */
const internal = {
  'journal.append': method({
    ...journal,
    effect: 'mutation',
    idempotent: true,
    summary: 'Hands in events of another service. One whose key is there already is left out, so a repeat is safe.',
    params: params({
      events: Type.Array(
        Type.Object({
          key: Type.String({ minLength: 1, maxLength: 200, description: 'Names this event for ever.' }),
          kind: Type.String(),
          workspace_id: Type.Optional(nullable(Type.String(), 'Default: that of the surface.')),
          surface_id: Type.Optional(nullable(Type.String())),
          data,
        }),
        { maxItems: MAX_LIMIT },
      ),
    }),
    result: result({ appended: Type.Integer({ description: 'Those that were new.' }) }),
    errors: ['invalid_params'],
  }),
  'journal.read': method({
    ...journal,
    effect: 'query',
    summary: 'A page of the journal, of all kinds.',
    params: params({ after: seq, limit: Type.Integer({ minimum: 1, maximum: MAX_LIMIT }) }),
    result: result({
      journal: Type.String({ description: 'Id of the journal; another one than before: the old one is lost.' }),
      events: Type.Array(Type.Unsafe<JournalEvent>(JournalRow)),
      last: Type.Integer({ description: 'Number of the newest event there is.' }),
      gap: Type.Optional(RowGap),
    }),
  }),
  'journal.open': method({
    ...journal,
    effect: 'query',
    summary: 'Checks what a subscription asks for and tells from where on it reads; all in one step.',
    params: params({
      surfaces: Type.Optional(Type.Array(Type.String())),
      workspaces: Type.Optional(Type.Array(Type.String())),
      cursor: Type.Optional(Type.String()),
      agents: Type.Optional(Type.Boolean({ description: 'Tell the present state of the agents too.' })),
      closed: Type.Optional(Type.Boolean({ description: 'Surfaces that were closed lately will do as well.' })),
    }),
    result: result({
      journal: Type.String(),
      after: seq,
      last: seq,
      gap: Type.Optional(RowGap),
      surfaces: Type.Array(
        Type.Object({
          surface_id: Type.String(),
          surface_ref: nullable(Type.String(), 'null: it is gone for good.'),
          workspace_id: nullable(Type.String()),
          address: nullable(Type.String(), 'Of the pty-host that has its terminal.'),
        }),
      ),
      workspaces: Type.Array(Type.String()),
      agents: Type.Array(
        Type.Object({
          surface_id: Type.String(),
          workspace_id: Type.String(),
          agent: nullable(Type.String()),
          state: nullable(AgentState),
          source: nullable(AgentStateSource),
          question: nullable(AgentQuestion),
        }),
      ),
    }),
    errors: ['not_found', 'invalid_params'],
  }),
} as const;

export const events = { ...reading, ...internal } as const;
