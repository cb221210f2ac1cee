import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coerceParams } from './coerce.js';
import {
  aliasOf,
  bool,
  handle,
  ignored,
  int,
  ints,
  num,
  oneOf,
  opt,
  orNull,
  params,
  raw,
  str,
  stringMap,
  strings,
} from './params.js';

const schema = params({
  name: opt(str('')),
  text: opt(raw('')),
  flag: opt(bool('')),
  size: opt(int('')),
  sizes: opt(ints('', {})),
  ratio: opt(num('')),
  argv: opt(strings('')),
  env: opt(stringMap('')),
  side: opt(oneOf(['left', 'far_right'], '', { l: 'left' })),
  surface_id: opt(handle('surface')),
  tab_id: aliasOf('surface_id'),
  focus: ignored(''),
  maybe: opt(orNull(bool(''))),
  caller: opt(params({ surface_id: opt(handle('surface')), tab_id: aliasOf('surface_id') })),
});
const coerce = (given: Record<string, unknown>) => coerceParams(schema, given);
const UUID = 'a0b1c2d3-0000-4000-8000-00000000abcd';

describe('coerceParams', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['trims strings', { name: '  a b ' }, { name: 'a b' }],
    ['takes a blank string as absent', { name: ' ', side: '', surface_id: ' ', argv: '' }, {}],
    ['leaves raw text alone', { text: '  x\n' }, { text: '  x\n' }],
    ['reads truth from words', { flag: ' YES ' }, { flag: true }],
    ['reads truth from numbers', { flag: 0 }, { flag: false }],
    ['reads integers from digits', { size: ' -12 ' }, { size: -12 }],
    ['makes a list of one integer', { sizes: '3000' }, { sizes: [3000] }],
    ['reads the integers of a list', { sizes: [80, ' 443 '] }, { sizes: [80, 443] }],
    ['reads numbers from text', { ratio: '.5e1' }, { ratio: 5 }],
    ['makes a list of one string', { argv: 'top' }, { argv: ['top'] }],
    ['folds words', { side: 'Far-Right' }, { side: 'far_right' }],
    ['knows short words', { side: 'L' }, { side: 'left' }],
    ['upper-cases a UUID', { surface_id: UUID }, { surface_id: UUID.toUpperCase() }],
    ['lower-cases a ref', { surface_id: 'Surface:3' }, { surface_id: 'surface:3' }],
    ['leaves other handles to the owner', { surface_id: 'Left One' }, { surface_id: 'Left One' }],
    ['makes a bare integer an unknown handle', { surface_id: 5 }, { surface_id: '5' }],
    ['moves an alias to its name', { tab_id: 'tab:1' }, { surface_id: 'tab:1' }],
    ['prefers the name over the alias', { surface_id: 'surface:2', tab_id: 'tab:1' }, { surface_id: 'surface:2' }],
    ['takes a blank name as absent beside its alias', { surface_id: '', tab_id: 'tab:1' }, { surface_id: 'tab:1' }],
    ['drops what is ignored', { focus: { any: 'thing' } }, {}],
    ['takes null as absent', { name: null, caller: null }, {}],
    ['keeps a null that means something', { maybe: null }, { maybe: null }],
    ['coerces within objects', { caller: { tab_id: 'TAB:1' } }, { caller: { surface_id: 'tab:1' } }],
    ['keeps unknown names, for validation to refuse', { nope: 1 }, { nope: 1 }],
  ])('%s', (_what, given, expected) => {
    expect(coerce(given)).toEqual(expected);
  });

  it.each([
    { flag: 'maybe' },
    { flag: [] },
    { size: true },
    { size: 1.5 },
    { size: '1.5' },
    { sizes: [true, 'x', 1.5] },
    { size: '' },
    { size: '99999999999999999999' },
    { ratio: 'NaN' },
    { ratio: '1e999' },
    { name: 5 },
    { surface_id: true },
    { caller: [] },
  ])('leaves what it cannot read as it is: %j', (given) => {
    expect(coerce(given)).toEqual(given);
  });

  it('is idempotent, and changes nothing of what it was given', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom('yes', 'off', 'R', UUID),
    );
    const given = fc.dictionary(fc.constantFrom(...Object.keys(schema.properties), 'other', '__proto__'), value, {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(given, (sent) => {
        const before = JSON.stringify(sent);
        const once = coerce(sent);
        expect(coerce(once)).toEqual(once);
        expect(JSON.stringify(sent)).toBe(before);
      }),
    );
  });

  it('keeps a member named __proto__ a member', () => {
    const sent = JSON.parse('{"__proto__":{"flag":true}}');
    expect(Object.getOwnPropertyNames(coerce(sent))).toEqual(['__proto__']);
  });
});
