/**
 * What is new in the text of a terminal.
 *
 * @param before the last lines of it, a moment ago
 * @param after the last lines of it now: some may have left at the top, some have come at the end
 * @returns what follows the old text in the new one. Where the old text is not found (a program has repainted its screen)
 *   everything from the first line on that is another
 */
export function newText(before: string, after: string): string {
  if (after.startsWith(before)) return after.slice(before.length);
  const old = before.split('\n');
  const now = after.split('\n');
  for (let gone = 0; gone < old.length; gone++) {
    const kept = old.length - gone;
    if (kept > now.length || !isBeginning(old, gone, now)) continue;
    const rest = now.slice(kept - 1);
    const lastOld = old.at(-1) ?? '';
    return [(rest[0] ?? '').slice(lastOld.length), ...rest.slice(1)].join('\n');
  }
  const first = now.findIndex((line, i) => line !== old[i]);
  return first < 0 ? '' : now.slice(first).join('\n');
}

/** Whether the old lines from `gone` on are the first of the new ones; the last of them may have been continued. */
function isBeginning(old: readonly string[], gone: number, now: readonly string[]): boolean {
  const last = old.length - 1;
  for (let i = gone; i < last; i++) if (old[i] !== now[i - gone]) return false;
  const continued = old[last] ?? '';
  // An empty line fits anywhere: it proves nothing when it is all that is left.
  return (now[last - gone] ?? '').startsWith(continued) && (gone < last || continued !== '');
}

/** The end of a text, at most so many characters, without half a character at its beginning. */
export function tailOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.length - maxChars;
  const isLowSurrogate = (text.charCodeAt(start) & 0xfc00) === 0xdc00;
  return text.slice(isLowSurrogate ? start + 1 : start);
}
