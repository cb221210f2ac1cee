import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Assembled, Assembler, PIECE_BYTES, pieces } from './parts.js';

/** Compared as a whole: a matcher that walks a megabyte byte by byte takes seconds. */
const isWhole = (assembled: Assembled | undefined, expected: Buffer) =>
  assembled?.state === 'whole' && assembled.bytes.equals(expected);
const cut = (size: number, stream = 's') => [...pieces(Buffer.alloc(size, stream), stream)];

describe('a message in pieces', () => {
  it('is put together again from any size', () => {
    for (const size of [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES]) {
      const assembler = new Assembler();
      const results = cut(size).map(({ part, data }) => assembler.add(part, data));
      expect(results.slice(0, -1).every(({ state }) => state === 'more')).toBe(true);
      expect(isWhole(results.at(-1), Buffer.alloc(size, 's'))).toBe(true);
    }
  });

  it('is never whole when any piece is missing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), fc.nat(), (count, pick) => {
        const missing = pick % count;
        const given = cut(count * PIECE_BYTES).filter(({ part }) => part.index !== missing);
        const assembler = new Assembler();
        for (const { part, data } of given) expect(assembler.add(part, data).state).not.toBe('whole');
      }),
    );
  });

  it('reports a hole when it sees it', () => {
    const [first, , third] = cut(3 * PIECE_BYTES);
    const assembler = new Assembler();
    expect(first && assembler.add(first.part, first.data)).toEqual({ state: 'more' });
    expect(third && assembler.add(third.part, third.data)).toMatchObject({ state: 'lost' });
    expect(assembler.partial).toBe(false);
  });

  it('sent twice does not mix: the second sending replaces the first', () => {
    const assembler = new Assembler();
    const old = cut(3 * PIECE_BYTES, 'a');
    const fresh = cut(2 * PIECE_BYTES, 'b');
    const order = [old[0], fresh[0], old[1], fresh[1], old[2]];
    const states = order.map((piece) => piece && assembler.add(piece.part, piece.data));
    expect(states.map((state) => state?.state)).toEqual(['more', 'more', 'more', 'whole', 'more']);
    expect(isWhole(states[3], Buffer.alloc(2 * PIECE_BYTES, 'b'))).toBe(true);
  });
});
