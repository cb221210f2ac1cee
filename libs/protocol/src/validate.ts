import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020, str } from 'ajv/dist/2020.js';
import { coerceParams } from './coerce.js';
import { contract, type MethodName, methodNamed, type Params, type Result } from './contract/index.js';
import { SwitchyardError } from './errors.js';
import { type JournalKind, journalSchema } from './events/journal.js';
import type { TSchema } from './schema.js';
import { isObject } from './wire/dialects/dialect.js';

/** Our own marks in the schemas; see params.ts. */
const MARKS = ['x-form', 'x-kind', 'x-picks', 'x-short', 'x-null', 'x-ignored', 'x-alias-of'];
/** A wrong value is shown back to the caller up to this length. */
const MAX_SHOWN = 100;

let ajv: Ajv2020 | undefined;
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Compiling all schemas would cost every process its start; each is compiled when it is first needed. */
function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  ajv ??= new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true }).addVocabulary(MARKS).addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
    error: { message: ({ schemaCode }) => str`must NOT have more than ${schemaCode} bytes` },
  });
  const made = ajv.compile(schema);
  compiled.set(schema, made);
  return made;
}

/**
 * Brings parameters to their canonical form and checks them.
 *
 * @param method a method of the contract
 * @param given what the caller sent; not changed
 * @throws SwitchyardError `method_not_found`; `invalid_params`, whose data names the parameter (`path`) and what is
 *   wrong with it (`reason`), and for a closed set of words also the value and the words
 */
export function validateParams<M extends MethodName>(method: M, given: unknown): Params<M>;
export function validateParams(method: string, given: unknown): Record<string, unknown>;
export function validateParams(method: string, given: unknown): Record<string, unknown> {
  const spec = methodNamed(method);
  if (!spec) throw new SwitchyardError('method_not_found', 'Unknown method', { method: shown(method) });
  if (!isObject(given)) throw new SwitchyardError('invalid_params', 'params must be an object');
  const params = coerceParams(spec.params, given);
  const validate = validatorOf(spec.params);
  if (validate(params)) return params;
  // Said first: a misspelt name is also why the proper one is missing.
  const known = Object.keys(spec.params.properties);
  const stranger = Object.keys(params).find((name) => !known.includes(name));
  if (stranger !== undefined) throw unknownParameter(shown(stranger), known);
  throw invalidParams(validate.errors?.[0]);
}

/**
 * Checks what a handler answers; for tests.
 *
 * @throws Error that says where the result differs from the contract
 */
export function checkResult<M extends MethodName>(method: M, result: unknown): Result<M> {
  const validate = validatorOf(contract[method].result);
  if (validate(result)) return result as Result<M>;
  const { instancePath = '', message = '' } = validate.errors?.[0] ?? {};
  throw new Error(`result of ${method}: ${instancePath || '/'} ${message}`);
}

/**
 * Checks the data of an event that another service hands in.
 *
 * @returns what is wrong with it; undefined: nothing
 */
export function checkEventData(kind: JournalKind, data: unknown): string | undefined {
  const validate = validatorOf(journalSchema(kind));
  if (validate(data)) return undefined;
  const { instancePath = '', message = 'invalid' } = validate.errors?.[0] ?? {};
  return `${instancePath || '/'} ${message}`;
}

function invalidParams(error: ErrorObject | undefined): SwitchyardError {
  if (!error) return new SwitchyardError('invalid_params', 'Missing or invalid params');
  const facts = error.params as { additionalProperty?: string; missingProperty?: string; allowedValues?: unknown[] };
  const outer = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (facts.additionalProperty !== undefined) {
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    return unknownParameter([...outer, shown(facts.additionalProperty)].join('.'), known);
  }
  if (facts.missingProperty !== undefined) {
    const path = [...outer, facts.missingProperty].join('.');
    return new SwitchyardError('invalid_params', `Missing or invalid ${path}`, { path, reason: 'missing' });
  }
  const path = outer.join('.');
  const reason = error.message ?? 'invalid';
  return new SwitchyardError('invalid_params', `Missing or invalid ${path}`, {
    path,
    reason,
    ...choices(error, outer),
  });
}

function unknownParameter(path: string, known: readonly string[]): SwitchyardError {
  return new SwitchyardError('invalid_params', `Unknown parameter ${path}`, { path, reason: 'unknown', known });
}

/** For a word that is none of a closed set: `{ action: 'fly', supported_actions: [...] }`. */
function choices(error: ErrorObject, path: readonly string[]): Record<string, unknown> {
  const name = path.at(-1);
  const { allowedValues } = error.params as { allowedValues?: unknown[] };
  if (name === undefined || allowedValues === undefined) return {};
  const value = typeof error.data === 'string' ? shown(error.data) : error.data;
  return { [name]: value, [`supported_${name}s`]: allowedValues };
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
