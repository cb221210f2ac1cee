import type { Form } from './params.js';
import type { TObject, TSchema } from './schema.js';

/**
 * Lenient spellings on the wire, brought to the canonical type before validation (programa-api §2.5). What cannot be
 * brought there stays as it is, and validation refuses it.
 */
interface Marked {
  readonly 'x-form'?: Form;
  readonly 'x-short'?: Readonly<Record<string, string>>;
  readonly 'x-null'?: boolean;
  readonly 'x-ignored'?: boolean;
  readonly 'x-alias-of'?: string;
  readonly properties?: Record<string, TSchema>;
}

/** Stands for "as if it had not been sent". */
const ABSENT = Symbol('absent');

const TRUE = new Set(['1', 'true', 'yes', 'on']);
const FALSE = new Set(['0', 'false', 'no', 'off']);
const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const REF = /^(window|workspace|pane|surface|tab):\d+$/i;

/**
 * @param schema of the parameters of a method
 * @param given as sent; not changed
 * @returns canonical parameters: aliases under their proper name, blank and null ones left out, unknown ones kept
 */
export function coerceParams(schema: TObject, given: Record<string, unknown>): Record<string, unknown> {
  const proper = new Map<string, unknown>();
  const aliased = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const declared = marksOf(schema, name);
    if (declared?.['x-ignored']) continue;
    const target = declared?.['x-alias-of'];
    const canonical = coerceValue(marksOf(schema, target ?? name), value);
    if (canonical !== ABSENT) (target === undefined ? proper : aliased).set(target ?? name, canonical);
  }
  // The proper name wins. fromEntries defines members, so that one named `__proto__` stays a member.
  return Object.fromEntries([...aliased, ...proper]);
}

function marksOf(schema: TObject, name: string): Marked | undefined {
  return Object.hasOwn(schema.properties, name) ? (schema.properties[name] as Marked) : undefined;
}

function coerceValue(marks: Marked | undefined, value: unknown): unknown {
  if (marks === undefined) return value;
  if (value === null) return marks['x-null'] ? null : ABSENT;
  if (marks.properties && typeof value === 'object' && !Array.isArray(value)) {
    return coerceParams(marks as TObject, value as Record<string, unknown>);
  }
  const form = marks['x-form'];
  return form === undefined ? value : FORMS[form](value, marks);
}

const FORMS: Record<Form, (value: unknown, marks: Marked) => unknown> = {
  string: (value) => (typeof value === 'string' ? trimmed(value) : value),
  raw: (value) => value,
  word: (value, marks) => (typeof value === 'string' ? word(value, marks['x-short']) : value),
  bool: (value) => bool(value),
  integer: (value) => integer(value),
  integers: (value) => (Array.isArray(value) ? value : [value]).map(integer),
  number: (value) => (typeof value === 'string' ? numeric(value, NUMBER) : value),
  strings: (value) => (typeof value === 'string' ? strings(value) : value),
  'string-map': (value) => value,
  handle: (value) => handle(value),
};

function trimmed(text: string): string | typeof ABSENT {
  return text.trim() || ABSENT;
}

function word(text: string, short: Marked['x-short']): unknown {
  const folded = text.trim().toLowerCase().replaceAll('-', '_');
  if (folded === '') return ABSENT;
  return short && Object.hasOwn(short, folded) ? short[folded] : folded;
}

function bool(value: unknown): unknown {
  if (typeof value === 'number') return value !== 0;
  if (typeof value !== 'string') return value;
  const folded = value.trim().toLowerCase();
  if (TRUE.has(folded)) return true;
  return FALSE.has(folded) ? false : value;
}

/** A numeric string; what would lose digits or be infinite stays a string. */
function numeric(text: string, form: RegExp): unknown {
  const number = Number(text.trim());
  const exact = form === INTEGER ? Number.isSafeInteger(number) : Number.isFinite(number);
  return form.test(text.trim()) && exact ? number : text;
}

const integer = (value: unknown): unknown => (typeof value === 'string' ? numeric(value, INTEGER) : value);

function strings(text: string): unknown {
  return text.trim() === '' ? ABSENT : [text];
}

/** UUIDs become upper case, refs lower case. Anything else that could be meant as a handle is left to the owner. */
function handle(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return ABSENT;
  if (UUID.test(text)) return text.toUpperCase();
  return REF.test(text) ? text.toLowerCase() : text;
}
