import type { TSchema } from '../schema.js';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The part of JSON Schema that the contract uses. */
export interface PlainSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly PlainSchema[];
  readonly items?: PlainSchema;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const ALIAS = 'x-alias-of';

/**
 * A declaration as others read it: without the marks of params.ts, which only our own code understands, and with the
 * type of an alias spelt out.
 */
export function plainSchema(schema: TSchema): PlainSchema {
  const withAliases = JSON.parse(JSON.stringify(schema), resolveAliases);
  return JSON.parse(JSON.stringify(withAliases), (key, value) => (key.startsWith('x-') ? undefined : value));
}

function resolveAliases(key: string, value: unknown): unknown {
  if (key !== 'properties') return value;
  const properties = value as Record<string, Record<string, unknown>>;
  const resolved = Object.entries(properties).map(([name, schema]) => {
    const target = properties[String(schema[ALIAS])];
    return [name, target ? { ...target, description: schema['description'] } : schema];
  });
  return Object.fromEntries(resolved);
}
