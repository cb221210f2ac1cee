import type { Type as TypeBox } from 'typebox';

/**
 * The builders of TypeBox that the contract uses: its types, and the same JSON Schema, without its 300 modules. Every
 * process of a yard and every call of the CLI loads the contract; this spares each of them a fifth of a second.
 */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;
type Schema = Record<string, unknown>;
type Options = Schema | undefined;

/** Kept out of the JSON: whether a member is required is said by the object around it. */
const OPTIONAL = '~optional';
const isOptional = (schema: Schema) => Object.hasOwn(schema, OPTIONAL);

const builders = {
  Array: (items: Schema, options: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options: Options) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options: Options) => ({ enum: values, ...options }),
  Integer: (options: Options) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options: Options) => ({ type: typeof value, const: value, ...options }),
  Null: (options: Options) => ({ type: 'null', ...options }),
  Number: (options: Options) => ({ type: 'number', ...options }),
  Object(properties: Record<string, Schema>, options: Options) {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name] ?? {}));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Record: (_names: Schema, values: Schema, options: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: (options: Options) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options: Options) => ({ anyOf, ...options }),
  Unknown: (options: Options) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

export const Type = builders as unknown as Builders;
export type { TNull, TObject, TSchema, TString, TUnion } from 'typebox';

/**
 * The type of the values that a schema describes. TypeBox has one for all that JSON Schema can say; this one knows the
 * builders above, and spares the compiler most of its work on the contract.
 */
export type Static<S> = S extends { readonly '~unsafe': infer U }
  ? U
  : S extends { readonly '~kind': infer K extends keyof Kinds<S> }
    ? Kinds<S>[K]
    : unknown;

interface Kinds<S> {
  readonly Array: S extends { readonly items: infer I } ? Static<I>[] : never;
  readonly Boolean: boolean;
  readonly Enum: S extends { readonly enum: readonly (infer V)[] } ? V : never;
  readonly Integer: number;
  readonly Literal: S extends { readonly const: infer V } ? V : never;
  readonly Null: null;
  readonly Number: number;
  readonly Object: S extends { readonly properties: infer P } ? ObjectOf<P> : never;
  readonly Record: S extends { readonly patternProperties: infer P } ? Record<string, Static<P[keyof P]>> : never;
  readonly String: string;
  readonly Union: S extends { readonly anyOf: readonly (infer V)[] } ? Static<V> : never;
  readonly Unknown: unknown;
}

interface OptionalMark {
  readonly '~optional': true;
}
type ObjectOf<P> = keyof P extends never
  ? object
  : Flat<
      { [K in keyof P as P[K] extends OptionalMark ? never : K]: Static<P[K]> } & {
        [K in keyof P as P[K] extends OptionalMark ? K : never]?: Static<P[K]>;
      }
    >;
type Flat<T> = { [K in keyof T]: T[K] };
