export interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly text: string;
}

/** Cells of the table that is filled to compare two texts; larger ones are shown as one block out, one block in. */
const MAX_CELLS = 4_000_000;
const CONTEXT = 2;

/** What changes between two texts, line by line, with a few lines around each place. null: there is no text. */
export function lineDiff(before: string | null, after: string | null): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return around([...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))]);
}

const linesOf = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n');
const marked = (mark: DiffLine['mark'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ mark, text }));
const same = (lines: readonly string[]) => marked(' ', lines);

function between(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > MAX_CELLS) return [...marked('-', a), ...marked('+', b)];
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: ' ', text: left });
      i++;
      j++;
    } else if (left === undefined || (right !== undefined && lengthAt(common, i, j + 1) > lengthAt(common, i + 1, j))) {
      lines.push({ mark: '+', text: right ?? '' });
      j++;
    } else {
      lines.push({ mark: '-', text: left });
      i++;
    }
  }
  return lines;
}

/** Of the longest common subsequence of what is left from each pair of places on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] ?? [];
      row[j] =
        a[i] === b[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  }
  return lengths;
}

const lengthAt = (lengths: readonly number[][], i: number, j: number): number => lengths[i]?.[j] ?? 0;

function around(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' ');
  return lines.filter((_, index) => isNear(index));
}
