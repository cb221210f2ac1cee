import { describe, expect, it } from 'vitest';
import { type Anchor, excerptOf, firstPlace, nextPlace } from './comment.js';

const anchor: Anchor = { path: 'a.ts', lines: ['one', 'two is here', 'three'], range: { start: 2, end: 2 } };
const first = firstPlace(anchor);

describe('a comment', () => {
  it('is at first where it was written', () => {
    expect(first).toEqual({ file_path: 'a.ts', start_line: 2, end_line: 2, is_stale: false, is_changed: false });
    expect(excerptOf(anchor)).toBe('two is here');
  });

  it('goes with its lines, and with the file when that is renamed', () => {
    const next = nextPlace(anchor, first, { path: 'b.ts', lines: ['zero', ...(anchor.lines ?? [])] });
    expect(next).toEqual({ file_path: 'b.ts', start_line: 3, end_line: 3, is_stale: false, is_changed: false });
  });

  it('is stale while its lines or its file are gone, and finds back', () => {
    const lost = nextPlace(anchor, first, { path: 'a.ts', lines: ['one', 'three'] });
    expect(lost).toEqual({ ...first, is_stale: true, is_changed: true });
    expect(nextPlace(anchor, lost, { path: 'a.ts', lines: null })).toEqual(lost);
    expect(nextPlace(anchor, lost, { path: 'a.ts', lines: anchor.lines })).toEqual(first);
  });

  it('on a file without lines to show is stale, and keeps its place if there are lines later', () => {
    const onBinary: Anchor = { path: 'x.bin', lines: null, range: { start: 1, end: 1 } };
    const place = firstPlace(onBinary);
    expect(place.is_stale).toBe(true);
    expect(excerptOf(onBinary)).toBe('');
    expect(nextPlace(onBinary, place, { path: 'x.bin', lines: ['text'] })).toMatchObject({ is_stale: false });
    expect(nextPlace(onBinary, place, { path: 'x.bin', lines: [] })).toMatchObject({ is_stale: true });
  });

  it('is quoted in part when it is on many lines', () => {
    const lines = Array.from({ length: 9 }, (_, n) => `line ${n}`);
    expect(excerptOf({ path: 'a', lines, range: { start: 1, end: 9 } }).split('\n')).toHaveLength(5);
  });
});
