import type { AnyMethod } from '../define.js';
import type { TSchema } from '../schema.js';
import { fieldsOf } from './fields.js';

/**
 * The contract as a flat list of facts that clients build on. One is kept for each contract version in
 * contract/history/, so that a later contract can be held against it.
 */
export interface Signature {
  readonly version: string;
  /** Fact by name, e.g. `surface.list result surfaces[].id` → `string`. See {@link factOf}. */
  readonly facts: Readonly<Record<string, string>>;
}

export interface Published {
  readonly version: string;
  readonly methods: Readonly<Record<string, AnyMethod>>;
  /** What clients can subscribe to, with the shape of its data. */
  readonly events?: Readonly<Record<string, TSchema>>;
  readonly errors: readonly string[];
}

interface Fact {
  readonly types: readonly string[];
  readonly words: readonly string[];
  readonly required: boolean;
}

const OPTIONAL = '?';

/** @returns the facts about all methods, internal ones included: services of different versions meet on the bus */
export function signatureOf(published: Published): Signature {
  const facts: [string, string][] = published.errors.map((code) => [`error ${code}`, 'code']);
  for (const [name, spec] of Object.entries(published.methods)) {
    facts.push([name, `${spec.visibility} ${spec.effect}`]);
    for (const side of ['params', 'result'] as const) {
      for (const field of fieldsOf(spec[side])) facts.push([`${name} ${side} ${field.path}`, spell(field)]);
    }
  }
  for (const [kind, schema] of Object.entries(published.events ?? {})) {
    facts.push([`event ${kind}`, 'event']);
    for (const field of fieldsOf(schema)) facts.push([`event ${kind} ${field.path}`, spell(field)]);
  }
  facts.sort(([a], [b]) => (a < b ? -1 : 1));
  return { version: published.version, facts: Object.fromEntries(facts) };
}

/** `null|string` · `string(left,right)` · `integer?` */
function spell({ types, words, required }: Fact): string {
  const list = words.length === 0 ? '' : `(${[...words].sort().join(',')})`;
  return `${types.join('|')}${list}${required ? '' : OPTIONAL}`;
}

function factOf(spelling: string): Fact {
  const required = !spelling.endsWith(OPTIONAL);
  const [types = '', words = ''] = (required ? spelling : spelling.slice(0, -1)).replace(')', '').split('(');
  return { types: types.split('|'), words: words === '' ? [] : words.split(','), required };
}

/**
 * What a client written for the old contract would stumble over.
 *
 * @returns one sentence for each; empty when every such client still works
 */
export function breaks(old: Signature, next: Signature): string[] {
  const changed = Object.entries(old.facts).flatMap(([name, before]) => {
    const after = next.facts[name];
    if (after === undefined) return [`${name} is gone`];
    return [...problems(name, before, after)];
  });
  const demanded = Object.keys(next.facts).filter(
    (name) => isParam(name) && old.facts[name] === undefined && isDemanded(name, old, next),
  );
  return [...changed, ...demanded.map((name) => `${name} is new and required`)];
}

const isParam = (name: string) => name.includes(' params ');

/** A required parameter of a known method; one within an object that is itself new hurts nobody. */
function isDemanded(name: string, old: Signature, next: Signature): boolean {
  const [method = '', , path = ''] = name.split(' ');
  const outer = path.includes('.')
    ? `${method} params ${path.slice(0, path.lastIndexOf('.')).replace(/\[\]$/, '')}`
    : method;
  return old.facts[outer] !== undefined && factOf(next.facts[name] ?? '').required;
}

function* problems(name: string, before: string, after: string): Generator<string> {
  if (before === after) return;
  if (!name.includes(' ')) {
    yield `${name} was ${before} and is ${after}`;
    return;
  }
  const [was, is] = [factOf(before), factOf(after)];
  // A server may come to accept more and to answer less, never the other way round.
  const [wide, narrow] = isParam(name) ? [is, was] : [was, is];
  if (narrow.types.some((type) => !wide.types.includes(type))) yield `${name} was ${before} and is ${after}`;
  if (was.words.some((word) => !is.words.includes(word)) && is.words.length > 0) yield `${name} lost a word: ${after}`;
  if (isParam(name) && is.words.length > 0 && was.words.length === 0) yield `${name} is limited to ${after}`;
  if (isParam(name) ? is.required && !was.required : was.required && !is.required) {
    yield `${name} is ${is.required ? 'now required' : 'no longer always there'}`;
  }
}
