/**
 * The logs that a person means: of a process by its name, or of all of a kind.
 *
 * @param known names of the processes that have one
 * @param suggest the nearest of these to a word that is none
 * @returns what is wrong, in a sentence, when one is not there
 */
export function chosenLogs(
  wanted: readonly string[],
  known: readonly string[],
  suggest: (word: string, known: readonly string[]) => string | undefined,
): string[] | string {
  const chosen = new Set<string>();
  for (const word of wanted) {
    const found = known.filter((name) => name === word || name.replace(/-\d+$/, '') === word);
    if (found.length === 0) {
      const near = suggest(word, known);
      return `there is no log of ${word}${near === undefined ? '' : `; did you mean ${near}?`}`;
    }
    for (const name of found) chosen.add(name);
  }
  return [...chosen];
}
