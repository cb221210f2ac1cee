/** So many commits are named in the message of a squash; a longer list nobody reads. */
const MOST_SUBJECTS = 50;

/** @param source branch, or id of a detached commit */
export function mergeMessage(source: string, base: string, isBranch: boolean): string {
  return `Merge ${isBranch ? `branch '${source}'` : `commit ${source}`} into ${base}\n`;
}

/** @param subjects first lines of the commits that are squashed, oldest first */
export function squashMessage(source: string, subjects: readonly string[]): string {
  const lines = subjects.slice(0, MOST_SUBJECTS).map((subject) => `* ${subject}`);
  const more = subjects.length > MOST_SUBJECTS ? [`* and ${subjects.length - MOST_SUBJECTS} more`] : [];
  return `Squash of ${source}\n\n${[...lines, ...more].join('\n')}\n`;
}
