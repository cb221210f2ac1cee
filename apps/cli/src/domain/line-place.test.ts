import { describe, expect, it } from 'vitest';
import { linePlace } from './line-place.js';

describe('linePlace', () => {
  it('reads a line and a range', () => {
    expect(linePlace('src/a.ts:12')).toEqual({ file_path: 'src/a.ts', start_line: 12, end_line: 12 });
    expect(linePlace('src/a.ts:12-15')).toEqual({ file_path: 'src/a.ts', start_line: 12, end_line: 15 });
  });

  it('takes a colon for a part of the name, except the last', () => {
    expect(linePlace('a:1:2')).toEqual({ file_path: 'a:1', start_line: 2, end_line: 2 });
  });

  it('reads nothing else', () => {
    for (const text of ['a.ts', 'a.ts:', 'a.ts:0', ':3', 'a.ts:3-', 'a.ts:x']) expect(linePlace(text)).toBeUndefined();
  });
});
