import { type TSchema, Type } from './schema.js';

/**
 * Builders for parameter schemas. Each carries `x-form`, the lenient spelling that is accepted on the wire and
 * brought to the canonical type before validation (see coerce.ts; programa-api §2.5).
 */
export type Form =
  | 'string'
  | 'raw'
  | 'word'
  | 'bool'
  | 'integer'
  | 'integers'
  | 'number'
  | 'strings'
  | 'string-map'
  | 'handle';

const described = (form: Form, description: string, more: object = {}) => ({ 'x-form': form, description, ...more });

/** Integers that every JSON reader holds exactly. */
const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
/** What is handed to the operating system as a C string must not hold a NUL, which would cut it short. */
export const NO_NUL = { pattern: '^[^\\u0000]*$' };

/** Trimmed; blank counts as absent. */
export const str = (description: string, more: object = {}) => Type.String(described('string', description, more));
/** Kept exactly as sent, blanks and all. */
export const raw = (description: string, more: object = {}) => Type.String(described('raw', description, more));
/** true/false, numbers, "1/true/yes/on", "0/false/no/off". */
export const bool = (description: string) => Type.Boolean(described('bool', description));
/** Integral numbers and numeric strings; booleans and fractions are refused. */
export const int = (description: string, more: object = {}) =>
  Type.Integer(described('integer', description, { ...EXACT, ...more }));
/** Finite numbers and numeric strings. */
export const num = (description: string, more: object = {}) => Type.Number(described('number', description, more));
/**
 * A limit as the peer counts: in bytes of UTF-8. Others read the same number as characters, of which there are never more.
 */
export const bytes = (most: number) => ({ maxLength: most, 'x-max-bytes': most });
/** A list of integers, or one; each also as a numeric string. */
export const ints = (description: string, each: object, more: object = {}) =>
  Type.Array(Type.Integer({ ...EXACT, ...each }), described('integers', description, more));
/** A list of strings, or one string. */
export const strings = (description: string, more: object = {}) =>
  Type.Array(Type.String(NO_NUL), described('strings', description, { minItems: 1, ...more }));
/** As {@link strings}, but the list may be empty. */
export const stringsOrNone = (description: string) =>
  Type.Array(Type.String(NO_NUL), described('strings', description));
/** An object with string values. */
export const stringMap = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', ...NO_NUL },
    propertyNames: { pattern: '^[^=\\u0000]+$' },
    ...described('string-map', description),
  });
/**
 * One of a few words, in any case, with `-` or `_`.
 *
 * @param short other spellings of a word that are accepted: `{ l: 'left' }`
 */
export const oneOf = <const T extends string[]>(
  values: readonly [...T],
  description: string,
  short?: Readonly<Record<string, T[number]>>,
) => Type.Enum([...values] as [...T], described('word', description, short ? { 'x-short': short } : {}));
/** A value or an explicit null that means something; elsewhere null counts as absent. */
export const orNull = <T extends TSchema & { 'x-form'?: Form }>(schema: T) =>
  Type.Union([schema, Type.Null()], { 'x-form': (schema as { 'x-form'?: Form })['x-form'], 'x-null': true });
/** A UUID in any case, or a ref such as `surface:3`. Which of both it is, and whether it exists, the owner decides. */
export const handle = (kind: 'window' | 'workspace' | 'pane' | 'surface', description?: string) =>
  Type.String(described('handle', description ?? `The ${kind}: its id or its ref.`, { 'x-kind': kind }));

/** A list of handles of one kind. */
export const handles = (kind: 'window' | 'workspace' | 'pane' | 'surface', description: string, more: object = {}) =>
  Type.Array(Type.String(), described('strings', description, { minItems: 1, 'x-kind': kind, ...more }));
/** Marks a parameter that picks what is acted on by something else than a handle, such as a name. */
export const PICKS = { 'x-picks': true };

export const opt = <T extends TSchema>(schema: T) => Type.Optional(schema);
/**
 * Another name under which a parameter is accepted. Coercion moves the value to the proper name, so that a handler
 * never sees the alias; when both are sent the proper name wins.
 */
export const aliasOf = (name: string) =>
  Type.Optional(Type.Unsafe<never>({ 'x-alias-of': name, description: `Same as \`${name}\`.` }));
/** A parameter that other clients send and that changes nothing; coercion takes it out. */
export const ignored = (why: string) =>
  Type.Optional(Type.Unsafe<never>({ 'x-ignored': true, description: `Accepted and ignored: ${why}` }));

/** Parameters are closed: an unknown name is an error, so that a misspelt option is never silently ignored. */
export const params = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** Results are open: an old client survives a new field. */
export const result = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties);

/** Which window, workspace and surface a method acts on; all optional (programa-api §2.6). */
export const ctx = {
  window_id: opt(handle('window', 'Default: the window that owns the workspace or surface, else the active one.')),
  workspace_id: opt(handle('workspace', 'Default: the one that holds the surface, else the selected one.')),
  surface_id: opt(handle('surface', 'Default: the focused one.')),
  tab_id: aliasOf('surface_id'),
};
