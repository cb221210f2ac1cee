import { table } from './table.js';

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

/** A result is shown to this depth; `--json` shows all of it. */
const DEEPEST = 3;

/** The properties of an object in lines: name (with `?` when it may be absent), type, meaning. */
export function shapeOf(schema: object): string[] {
  const rows = rowsOf(schema as Schema, 1);
  return rows.length === 0 ? ['  (none)'] : table(rows);
}

function rowsOf(schema: Schema, depth: number): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    const row = [`${'  '.repeat(depth)}${name}${optional}`, typeOf(property), property.description ?? ''];
    const inner = innerOf(property);
    return inner === undefined || depth >= DEEPEST ? [row] : [row, ...rowsOf(inner, depth + 1)];
  });
}

function innerOf(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  return schema.items === undefined ? undefined : innerOf(schema.items);
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return schema.type ?? 'any';
}
