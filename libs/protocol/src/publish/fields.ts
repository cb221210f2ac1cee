import type { TSchema } from 'typebox';

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

/** The part of JSON Schema that the contract uses. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** @returns every field of an object schema, outer ones before those within them */
export function fieldsOf(schema: TSchema): Field[] {
  return walk(schema as Schema, '');
}

function walk(schema: Schema, prefix: string): Field[] {
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

function within(schema: Schema, path: string): Field[] {
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => within(branch, path));
  if (schema.items) return within(schema.items, `${path}[]`);
  return walk(schema, `${path}.`);
}

function typesOf(schema: Schema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf);
  if (schema.items) return [`${[...new Set(typesOf(schema.items))].sort().join('|')}[]`];
  if (schema.enum) return schema.enum.map((value) => typeof value);
  return [schema.type ?? 'any'];
}

function wordsOf(schema: Schema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(wordsOf);
  if (schema.items) return wordsOf(schema.items);
  if (schema.enum) return schema.enum.map(String);
  return 'const' in schema ? [String(schema.const)] : [];
}
