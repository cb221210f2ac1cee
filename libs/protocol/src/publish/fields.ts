import type { TSchema } from '../schema.js';
import { type PlainSchema, plainSchema } from './plain.js';

/** One named value in the params or result of a method. */
export interface Field {
  /** `surfaces[].id` */
  readonly path: string;
  /** Sorted JSON types: `null`, `string`, `object[]`, `any`. */
  readonly types: readonly string[];
  /** The only values it has, where they are listed. */
  readonly words: readonly string[];
  readonly required: boolean;
  readonly description: string;
}

/** @returns every field of an object schema, outer ones before those within them */
export function fieldsOf(schema: TSchema): Field[] {
  return walk(plainSchema(schema), '');
}

function walk(schema: PlainSchema, prefix: string): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const field: Field = {
      path,
      types: [...new Set(typesOf(inner))].sort(),
      words: wordsOf(inner),
      required: required.has(name),
      description: inner.description ?? '',
    };
    return [field, ...within(inner, path)];
  });
}

function within(schema: PlainSchema, path: string): Field[] {
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => within(branch, path));
  if (schema.items) return within(schema.items, `${path}[]`);
  return walk(schema, `${path}.`);
}

function typesOf(schema: PlainSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  if (schema.items) return [`${[...new Set(typesOf(schema.items))].sort().join('|')}[]`];
  if (schema.enum) return schema.enum.map((value) => typeof value);
  return [schema.type ?? 'any'];
}

function wordsOf(schema: PlainSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(wordsOf);
  if (schema.items) return wordsOf(schema.items);
  if (schema.enum) return schema.enum.map(String);
  return 'const' in schema ? [String(schema.const)] : [];
}
