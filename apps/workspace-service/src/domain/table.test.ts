import { describe, expect, it } from 'vitest';
import { Table } from './table.js';

describe('a table', () => {
  const filled = () => {
    const table = new Table<{ id: string; ref?: number; text: string }>();
    table.load([
      { id: 'a', ref: 1, text: 'A' },
      { id: 'b', ref: 2, text: 'B' },
    ]);
    return table;
  };

  it('counts what was loaded as unchanged', () => {
    expect(filled().changes()).toEqual({ put: [], removed: [] });
  });

  it('names each changed record once, with its last state', () => {
    const table = filled();
    table.put({ id: 'a', text: '1' });
    table.put({ id: 'a', text: '2' });
    table.remove('b');
    table.put({ id: 'c', text: 'C' });
    table.remove('c');
    expect(table.changes()).toEqual({ put: [{ id: 'a', text: '2' }], removed: ['b'] });
    table.accept();
    expect(table.changes()).toEqual({ put: [], removed: [] });
  });

  it('takes everything back, refs too', () => {
    const table = filled();
    table.remove('a');
    table.put({ id: 'c', ref: 3, text: 'C' });
    expect([table.idOfRef(1), table.idOfRef(3)]).toEqual([undefined, 'c']);
    table.revert();
    expect([table.idOfRef(1), table.idOfRef(2), table.idOfRef(3)]).toEqual(['a', 'b', undefined]);
    expect([...table.values()].map(({ text }) => text).sort()).toEqual(['A', 'B']);
    expect(table.changes()).toEqual({ put: [], removed: [] });
  });
});
