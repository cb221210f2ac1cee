import { contract } from '../contract/index.js';
import type { AnyMethod } from '../define.js';
import { COMMON_ERRORS, ERRORS, type ErrorCode } from '../errors.js';
import { busEvents } from '../events/index.js';
import { JOURNAL_KINDS, journalEvents } from '../events/journal.js';
import { LIVE_KINDS, liveEvents } from '../events/live.js';
import type { TSchema } from '../schema.js';
import { CONTRACT_VERSION } from '../version.js';
import { jsonRpcNumber } from '../wire/dialects/index.js';
import { type Json, plainSchema } from './plain.js';
import { type Published, signatureOf } from './signature.js';

/** Builds the files of contract/ from the declarations. Pure: the same declarations give the same text. */
const methods: Record<string, AnyMethod> = contract;
const sortedMethods = Object.entries(methods).sort(([a], [b]) => (a < b ? -1 : 1));

const events = { ...journalEvents, ...liveEvents };

export const published: Published = {
  version: CONTRACT_VERSION,
  methods,
  events,
  errors: Object.keys(ERRORS),
};

/** @returns the JSON files of contract/ by name, except the history */
export function contractFiles(): Record<string, Json> {
  return {
    'switchyard.schema.json': schemaDocument(),
    'methods.json': { contract_version: CONTRACT_VERSION, methods: sortedMethods.map(methodRow) },
    'events.json': { contract_version: CONTRACT_VERSION, events: eventRows(), bus_events: busEventRows() },
    'errors.json': { contract_version: CONTRACT_VERSION, errors: errorRows() },
  };
}

/** @returns the present contract as facts, for contract/history/ */
export function currentSignature() {
  return signatureOf(published);
}

/** One JSON Schema document: an envelope at the root, params and result of each method and each event by name. */
export function schemaDocument(): Json {
  const definitions: Record<string, Json> = { ...envelopes() };
  for (const [name, spec] of sortedMethods) {
    definitions[`${name}.params`] = plain(spec.params);
    definitions[`${name}.result`] = plain(spec.result);
  }
  for (const [name, schema] of Object.entries(events)) definitions[`event.${name}`] = plain(schema);
  for (const [name, schema] of Object.entries(busEvents)) definitions[`bus-event.${name}`] = plain(schema);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:switchyard:contract:${CONTRACT_VERSION}`,
    title: 'Switchyard contract',
    description:
      'A line on the socket is a request, an answer or an event. Params and result of a method are `$defs/METHOD.params` ' +
      'and `$defs/METHOD.result`; params are given in their canonical form, the server accepts more (docs/contract.md). ' +
      'The data of an event is `$defs/event.KIND`.',
    anyOf: ENVELOPES.map(ref),
    $defs: definitions,
  };
}

const ENVELOPES = [
  'request',
  'reply',
  'error',
  'event',
  'json-rpc.request',
  'json-rpc.reply',
  'json-rpc.error',
  'json-rpc.event',
] as const;

const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const open = (required: string[], properties: Record<string, Json>): Json => ({ type: 'object', required, properties });

function envelopes(): Record<string, Json> {
  const message: Json = { type: 'string' };
  const codes: Json = { enum: Object.keys(ERRORS) };
  const params: Json = { type: 'object' };
  const method: Json = { type: 'string', minLength: 1 };
  const jsonrpc: Json = { const: '2.0' };
  const id: Json = { type: ['string', 'number', 'null'] };
  return {
    request: open(['method'], { id: true, method, params }),
    reply: open(['id', 'ok', 'result'], { id: true, ok: { const: true }, result: true }),
    error: open(['ok', 'error'], {
      id: true,
      ok: { const: false },
      error: open(['code', 'message'], { code: codes, message, data: { type: 'object' } }),
    }),
    event: open(['event'], { event: { type: 'string' } }),
    'json-rpc.event': open(['jsonrpc', 'method', 'params'], { jsonrpc, method, params }),
    'json-rpc.request': open(['jsonrpc', 'method'], { jsonrpc, id, method, params }),
    'json-rpc.reply': open(['jsonrpc', 'id', 'result'], { jsonrpc, id, result: true }),
    'json-rpc.error': open(['jsonrpc', 'id', 'error'], {
      jsonrpc,
      id,
      error: open(['code', 'message', 'data'], {
        code: { type: 'integer' },
        message,
        data: open(['code'], { code: codes }),
      }),
    }),
  };
}

function methodRow([name, spec]: [string, AnyMethod]): Json {
  return {
    name,
    summary: spec.summary,
    owner: spec.owner,
    visibility: spec.visibility,
    from_hosts: spec.fromHosts,
    effect: spec.effect,
    scope: spec.scope,
    self_service: spec.selfService,
    tier: spec.tier,
    idempotent: spec.idempotent,
    repeat_key: spec.repeatKey,
    since: spec.since,
    focus_intent: spec.focusIntent,
    deadline_ms: spec.deadlineMs,
    timeout_parameter: spec.timeoutParam,
    errors: [...new Set<string>([...spec.errors, ...COMMON_ERRORS])].sort(),
    risks: [...spec.risks],
    params: ref(`${name}.params`),
    result: ref(`${name}.result`),
  };
}

/** What clients can subscribe to. `kept`: it can be read later, from a cursor. */
function eventRows(): Json {
  const row = (kept: boolean) => (name: string) => ({ name, kept, data: ref(`event.${name}`) });
  return [...JOURNAL_KINDS.map(row(true)), ...LIVE_KINDS.map(row(false))];
}

/** These travel between our own services only. */
function busEventRows(): Json {
  return Object.keys(busEvents)
    .sort()
    .map((name) => ({ name, data: ref(`bus-event.${name}`) }));
}

function errorRows(): Json {
  return Object.entries(ERRORS).map(([code, { retry, text }]) => ({
    code,
    meaning: text,
    retry,
    json_rpc: jsonRpcNumber(code as ErrorCode),
  }));
}

function plain(schema: TSchema): Json {
  return plainSchema(schema) as Json;
}
