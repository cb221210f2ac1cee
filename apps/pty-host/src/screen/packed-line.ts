import { CELL_WORDS, mostBytes, packLine, unpackLine } from './line-bytes.js';
import { type BufferLine, lineMethods } from './xterm-lines.js';

/** Of which terminal lines are, and how many of its lines are packed. */
export interface PackedCount {
  packed: number;
}

/** Lines packed together: an object for each would be larger than what is in it. */
interface Lot {
  readonly bytes: Uint8Array;
  readonly count: PackedCount;
}

/** Few lines have any of it, so it stays as it is. */
interface Rest {
  readonly combined: BufferLine['_combined'];
  readonly extended: BufferLine['_extendedAttrs'];
}

/** These only look at a line. Everything else, and all of xterm that reaches into a line, may change it. */
const LOOKING = [
  'get',
  'getWidth',
  'hasWidth',
  'getFg',
  'getBg',
  'hasContent',
  'getCodePoint',
  'isCombined',
  'getString',
  'isProtected',
  'loadCell',
  'getTrimmedLength',
  'getNoBgTrimmedLength',
  'translateToString',
] as const;
const HELD = ['_data', '_combined', '_extendedAttrs'] as const;

/**
 * A line whose cells are packed until xterm changes them. To xterm it is a line: whatever only looks is answered from a
 * copy, and whatever writes finds the cells where they always are, because they are put there when it reaches for them. So
 * lines are packed and unpacked without a moment at which a screen is another than it was.
 */
class PackedLine {
  isWrapped: boolean;
  length: number;
  /** undefined: it is one of xterm's own again. */
  lot: Lot | undefined;
  at: number;
  rest: Rest | undefined;

  constructor(line: BufferLine, lot: Lot, at: number) {
    this.isWrapped = line.isWrapped;
    this.length = line.length;
    this.lot = lot;
    this.at = at;
    this.rest = restOf(line);
  }
}

Object.setPrototypeOf(PackedLine.prototype, lineMethods);
for (const name of LOOKING) Object.defineProperty(PackedLine.prototype, name, { value: looking(name) });
for (const name of HELD) Object.defineProperty(PackedLine.prototype, name, holding(name));
// It has nothing to give back.
Object.defineProperty(PackedLine.prototype, 'cleanupMemory', { value: () => 0 });

/**
 * @param lines of xterm's own
 * @param count is counted up by them, and down with each that is unpacked
 * @returns lines to be put in their places
 */
export function packLines(lines: readonly BufferLine[], count: PackedCount): BufferLine[] {
  const draft = draftOf(lines.reduce((sum, line) => sum + mostBytes(line.length), 0));
  const starts: number[] = [];
  let end = 0;
  for (const line of lines) {
    starts.push(end);
    end = packLine(line._data, draft, end);
  }
  const lot = { bytes: draft.slice(0, end), count };
  count.packed += lines.length;
  return lines.map((line, i) => new PackedLine(line, lot, starts[i] ?? 0) as unknown as BufferLine);
}

export function isPacked(line: object): boolean {
  return line instanceof PackedLine;
}

/** Lets go of what was unpacked to be looked at. */
export function forgetSeen(): void {
  seen = undefined;
}

/** Whoever looks at a line does so cell by cell: the one seen last, unpacked. */
let seen: { readonly line: PackedLine; readonly view: BufferLine } | undefined;

function viewOf(line: PackedLine): BufferLine {
  if (seen?.line === line) return seen.view;
  const view = fill(Object.create(lineMethods) as BufferLine, line);
  seen = { line, view };
  return view;
}

function looking(name: string) {
  const look = lineMethods[name];
  if (look === undefined) throw new Error(`lines of xterm have no ${name} any more`);
  return function (this: PackedLine, a: unknown, b: unknown, c: unknown, d: unknown) {
    return look.call(viewOf(this), a, b, c, d);
  };
}

function holding(name: (typeof HELD)[number]): PropertyDescriptor & ThisType<PackedLine> {
  return {
    get() {
      return unpack(this)[name];
    },
    set(value: never) {
      unpack(this)[name] = value;
    },
  };
}

/** Makes it one of xterm's own again, in its place. */
function unpack(line: PackedLine): BufferLine {
  if (seen?.line === line) seen = undefined;
  Object.setPrototypeOf(line, lineMethods);
  const own = fill(line as unknown as BufferLine, line);
  if (line.lot !== undefined) line.lot.count.packed--;
  line.lot = undefined;
  line.rest = undefined;
  return own;
}

function fill(line: BufferLine, { length, isWrapped, rest, lot, at }: PackedLine): BufferLine {
  line.isWrapped = isWrapped;
  line._combined = rest?.combined ?? {};
  line._extendedAttrs = rest?.extended ?? {};
  line._data = new Uint32Array(length * CELL_WORDS);
  line.length = length;
  if (lot !== undefined) unpackLine(lot.bytes, at, line._data);
  return line;
}

function restOf({ _combined, _extendedAttrs }: BufferLine): Rest | undefined {
  const none = isEmpty(_combined) && isEmpty(_extendedAttrs);
  return none ? undefined : { combined: _combined, extended: _extendedAttrs };
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

let draft = new Uint8Array();

/** One lot is packed at a time, so all share what it is packed into first. */
function draftOf(bytes: number): Uint8Array {
  if (draft.length < bytes) draft = new Uint8Array(bytes);
  return draft;
}
