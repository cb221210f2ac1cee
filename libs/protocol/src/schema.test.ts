import { Type as TypeBox, type Static as TypeBoxStatic } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Static, Type } from './schema.js';

/** One use of every builder, with and without options. */
function everything(T: typeof Type) {
  const text = { description: 'd', minLength: 1 };
  return T.Object(
    {
      array: T.Array(T.String(), { minItems: 1 }),
      boolean: T.Boolean({ description: 'd' }),
      enumeration: T.Enum(['a', 'b'], { description: 'd' }),
      integer: T.Integer({ minimum: 0 }),
      literals: T.Array(T.Union([T.Literal(true), T.Literal('x'), T.Literal(2)])),
      nothing: T.Null(),
      number: T.Number(),
      open: T.Object({}),
      optional: T.Optional(T.String(text)),
      record: T.Record(T.String(), T.Integer(), { description: 'd' }),
      string: T.String(text),
      union: T.Union([T.String(), T.Null()], { description: 'd' }),
      unknown: T.Optional(T.Unknown()),
      unsafe: T.Optional(T.Unsafe<never>({ description: 'd' })),
    },
    { additionalProperties: false },
  );
}

describe('Type', () => {
  it('builds the JSON Schema that TypeBox builds', () => {
    const ours = JSON.parse(JSON.stringify(everything(Type)));
    expect(ours).toEqual(JSON.parse(JSON.stringify(everything(TypeBox as typeof Type))));
    expect(ours.required).not.toContain('optional');
  });

  it('describes values by the types that TypeBox gives them', () => {
    type Schema = ReturnType<typeof everything>;
    expectTypeOf<Static<Schema>>().toEqualTypeOf<TypeBoxStatic<Schema>>();
  });
});
