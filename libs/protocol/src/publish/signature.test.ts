import { describe, expect, it } from 'vitest';
import type { AnyMethod } from '../define.js';
import { method } from '../define.js';
import { type TObject, Type } from '../schema.js';
import { breaks, signatureOf } from './signature.js';

const { Object: object, Optional: optional, String: string, Integer: integer } = Type;

function contractWith(params: TObject, result: TObject = object({}), more: Partial<AnyMethod> = {}) {
  const m = method({ owner: 'gateway', summary: 'S.', effect: 'query', params, result, ...more });
  return signatureOf({ version: '1.0', methods: { 'a.b': m }, errors: ['timeout'] });
}
const none = object({});

describe('breaks', () => {
  const row = object({ id: string(), state: Type.Union([Type.Enum(['on', 'off']), Type.Null()]) });
  const old = contractWith(object({ name: string(), size: optional(integer()) }), object({ rows: Type.Array(row) }));

  it('finds nothing between a contract and itself, nor when something optional is added', () => {
    expect(breaks(old, old)).toEqual([]);
    const more = contractWith(
      object({ name: string(), size: optional(integer()), extra: optional(object({ must: string() })) }),
      object({ rows: Type.Array(object({ ...row.properties, more: string() })), further: integer() }),
    );
    expect(breaks(old, more)).toEqual([]);
  });

  it('names a method, error code, parameter or result field that is gone', () => {
    expect(breaks(old, signatureOf({ version: '1.0', methods: {}, errors: [] }))).toEqual(
      expect.arrayContaining(['error timeout is gone', 'a.b is gone', 'a.b result rows[].id is gone']),
    );
    expect(breaks(old, contractWith(object({ name: string() }), object({ rows: Type.Array(row) })))).toEqual([
      'a.b params size is gone',
    ]);
  });

  it('names what changed its type', () => {
    const next = contractWith(object({ name: integer(), size: optional(integer()) }), object({ rows: string() }));
    expect(breaks(old, next)).toEqual(
      expect.arrayContaining([
        'a.b params name was string and is integer',
        'a.b result rows was object[] and is string',
      ]),
    );
  });

  it('lets params take more and results give less, not the other way round', () => {
    const nullable = Type.Union([string(), Type.Null()]);
    expect(breaks(contractWith(object({ x: string() })), contractWith(object({ x: nullable })))).toEqual([]);
    expect(breaks(contractWith(none, object({ x: nullable })), contractWith(none, object({ x: string() })))).toEqual(
      [],
    );
    expect(breaks(contractWith(object({ x: nullable })), contractWith(object({ x: string() })))).toHaveLength(1);
    expect(
      breaks(contractWith(none, object({ x: string() })), contractWith(none, object({ x: nullable }))),
    ).toHaveLength(1);
  });

  it('names a word that is gone, and a limit that is new, but not a further word', () => {
    const words = (...list: [string, ...string[]]) => contractWith(object({ x: Type.Enum(list) }));
    expect(breaks(words('a'), words('a', 'b'))).toEqual([]);
    expect(breaks(words('a', 'b'), words('a'))).toEqual(['a.b params x lost a word: string(a)']);
    expect(breaks(contractWith(object({ x: string() })), words('a'))).toEqual(['a.b params x is limited to string(a)']);
  });

  it('names a parameter that is newly required and a result that is no longer certain', () => {
    expect(breaks(contractWith(none), contractWith(object({ x: string() })))).toEqual([
      'a.b params x is new and required',
    ]);
    expect(breaks(contractWith(object({ x: optional(string()) })), contractWith(object({ x: string() })))).toEqual([
      'a.b params x is now required',
    ]);
    expect(
      breaks(contractWith(none, object({ x: string() })), contractWith(none, object({ x: optional(string()) }))),
    ).toEqual(['a.b result x is no longer always there']);
  });

  it('names a method that became internal', () => {
    expect(breaks(contractWith(none), contractWith(none, none, { visibility: 'internal' }))).toEqual([
      'a.b was public query and is internal query',
    ]);
  });
});
