/** Beyond this a line is data; its beginning tells enough. */
const MOST_CHARS = 300;

/** How alike two lines are, from 0 to 1: the share of pairs of letters that they have in common. Indentation is nothing. */
export function likeness(one: string, other: string): number {
  const [a, b] = [pairsIn(one), pairsIn(other)];
  if (a.length === 0 || b.length === 0) return one.trim() === other.trim() ? 1 : 0;
  const left = new Map<string, number>();
  for (const pair of a) left.set(pair, (left.get(pair) ?? 0) + 1);
  let common = 0;
  for (const pair of b) {
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    common++;
    left.set(pair, count - 1);
  }
  return (2 * common) / (a.length + b.length);
}

function pairsIn(line: string): string[] {
  const text = line.trim().slice(0, MOST_CHARS);
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}
