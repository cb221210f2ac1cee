import { describe, expect, it } from 'vitest';
import { cursorOf, readCursor } from './cursor.js';

describe('a cursor of review.get', () => {
  it('says where the next page begins, in its generation', () => {
    expect(readCursor(undefined, 3)).toBe(0);
    expect(readCursor(cursorOf({ generation: 3, position: 40 }), 3)).toBe(40);
  });

  it('F8: is refused when the review was refreshed since', () => {
    const cursor = cursorOf({ generation: 3, position: 40 });
    expect(() => readCursor(cursor, 4)).toThrow(expect.objectContaining({ code: 'snapshot_changed' }));
  });

  it('is refused when it is none', () => {
    for (const text of ['', '3', 'x.1', '3.-1']) {
      expect(() => readCursor(text, 3)).toThrow(expect.objectContaining({ code: 'invalid_params' }));
    }
  });
});
