/** More differences than this and the words have nothing to do with each other. */
const FARTHEST = 3;

/**
 * The known word that a misspelt one most likely meant.
 *
 * @returns undefined when nothing is near enough
 */
export function suggest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.min(FARTHEST, Math.ceil(word.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
