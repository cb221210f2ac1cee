/** Cells of the table that compares two blocks without a line of their own; larger ones count as wholly replaced. */
const MOST_CELLS = 1_000_000;

interface Block {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/**
 * Which line of a new text each line of an old one is. Lines that occur once on both sides come first, in order
 * ("patience"), since those are what a reader takes for the same; what lies between is compared line by line.
 *
 * @returns for each old line the index of the new one, or -1; the indices rise
 */
export function matchLines(before: readonly string[], after: readonly string[]): Int32Array {
  const [a, b] = numbered(before, after);
  const matched = new Int32Array(a.length).fill(-1);
  const open: Block[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let block = open.pop(); block; block = open.pop()) {
    const middle = trimmed(a, b, block, matched);
    if (middle.a0 === middle.a1 || middle.b0 === middle.b1) continue;
    const anchors = anchorsIn(a, b, middle);
    if (anchors.length > 0) open.push(...between(middle, anchors, matched));
    else matchAll(a, b, middle, matched);
  }
  return matched;
}

/** Equal lines get equal numbers: those are compared many times. */
function numbered(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line);
    if (known !== undefined) return known;
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  };
  return [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)];
}

/** Matches what both ends of a block have in common; the rest is left. */
function trimmed(a: Int32Array, b: Int32Array, block: Block, matched: Int32Array): Block {
  let { a0, a1, b0, b1 } = block;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) matched[a0++] = b0++;
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) matched[--a1] = --b1;
  return { a0, a1, b0, b1 };
}

type Pair = readonly [inA: number, inB: number];

/** Lines that occur once on each side, as many of them as keep their order. */
function anchorsIn(a: Int32Array, b: Int32Array, block: Block): Pair[] {
  const inB = placesOfSingles(b, block.b0, block.b1);
  const pairs: Pair[] = [];
  for (const [line, at] of placesOfSingles(a, block.a0, block.a1)) {
    const other = inB.get(line);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  return longestRising(pairs);
}

/** By line its place, or -1 when it occurs more than once; in the order of first occurrence. */
function placesOfSingles(lines: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? -1;
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** The longest run of pairs, which rise in `a`, that rises in `b` too. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  /** `tails[n]`: index of the pair with the lowest end among runs of length n + 1. */
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  const endOf = (tail: number | undefined) => pairs[tail ?? -1]?.[1] ?? -1;
  for (const [index, [, inB]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (endOf(tails[middle]) < inB) low = middle + 1;
      else high = middle;
    }
    previous[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  }
  const run: Pair[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) run.push(pair);
  }
  return run.reverse();
}

function between(block: Block, anchors: readonly Pair[], matched: Int32Array): Block[] {
  const blocks: Block[] = [];
  let { a0, b0 } = block;
  for (const [inA, inB] of anchors) {
    matched[inA] = inB;
    blocks.push({ a0, a1: inA, b0, b1: inB });
    [a0, b0] = [inA + 1, inB + 1];
  }
  blocks.push({ a0, a1: block.a1, b0, b1: block.b1 });
  return blocks;
}

/** The longest common subsequence of a block, if the table for it is affordable. */
function matchAll(a: Int32Array, b: Int32Array, { a0, a1, b0, b1 }: Block, matched: Int32Array): void {
  const [rows, columns] = [a1 - a0, b1 - b0];
  if (rows * columns > MOST_CELLS) return;
  const width = columns + 1;
  const table = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      table[i * width + j] = a[a0 + i] === b[b0 + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[a0 + i] === b[b0 + j]) matched[a0 + i++] = b0 + j++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
}
