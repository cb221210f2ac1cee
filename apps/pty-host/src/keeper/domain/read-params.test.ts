import { describe, expect, it } from 'vitest';
import { ParamReader } from './read-params.js';

const read = (raw: Record<string, unknown>) => new ParamReader(raw, (message) => new Error(message));

describe('the parameters of an operation', () => {
  it.each(['', '.', '..', '../x', 'a/b', 'a\0', '-x', 'x'.repeat(65), 7, null, undefined])(
    'refuse %j as a surface id: it becomes the name of a folder',
    (surface_id) => {
      expect(() => read({ surface_id }).surfaceId()).toThrow('surface_id');
    },
  );

  it('take an upper-case UUID', () => {
    const surface_id = '6F9619FF-8B86-D011-B42D-00C04FC964FF';
    expect(read({ surface_id }).surfaceId()).toBe(surface_id);
  });

  it.each([[[]], [['a\0b']], ['sh'], [[1]], [undefined]])('refuse %j as argv', (argv) => {
    expect(() => read({ argv }).argv()).toThrow('argv');
  });

  it.each([{ 'A=B': 'c' }, { '': 'c' }, { A: 1 }, { A: 'x\0' }, ['A=b'], null])('refuse %j as env', (env) => {
    expect(() => read({ env }).env()).toThrow('env');
  });

  it('take sizes a terminal can have', () => {
    expect(read({ cols: 1, rows: 1000 }).size()).toEqual({ cols: 1, rows: 1000 });
    expect(() => read({ cols: 0, rows: 1 }).size()).toThrow('cols');
    expect(() => read({ cols: 1, rows: '24' }).size()).toThrow('rows');
  });
});
