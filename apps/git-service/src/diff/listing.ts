import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Mark, marksOf } from '../adapters/tree-files.js';
import type { ChangeRecord } from '../domain/diff/raw-records.js';
import type { Comparison } from './comparison.js';
import type { ChangesQuestion } from './question.js';
import { commitOf } from './repository.js';
import type { Untracked } from './untracked.js';

const NO_FILE_MODE = '000000';
const SUBMODULE_MODE = '160000';
/** A submodule costs a run of git to look at. Of more than this only the folders are looked at. */
const SUBMODULES_LIMIT = 50;

/** Everything that differs, and the state that the files of it were in. */
export interface Listing {
  readonly records: readonly ChangeRecord[];
  /** Of the file of each record; of nothing where the new side is not a file. */
  readonly marks: readonly Mark[];
  readonly untracked: Untracked;
  readonly untrackedMarks: readonly Mark[];
}

/** Whether the new side of a record is a file of the tree. */
export function isFile({ isOfFiles }: Comparison, { newMode }: ChangeRecord): boolean {
  return isOfFiles && newMode !== NO_FILE_MODE;
}

/** Looks at the files of records, and of those that are submodules at the commit that they are at. */
export async function lookAt(
  comparison: Comparison,
  records: readonly ChangeRecord[],
  signal: AbortSignal,
): Promise<readonly Mark[]> {
  const { top } = comparison;
  const paths = records.map((record) => (isFile(comparison, record) ? record.path : null));
  const marks = await marksOf(top, paths);
  const submodules = records.flatMap((record, index) => (isSubmodule(comparison, record) ? [{ record, index }] : []));
  for (const { record, index } of submodules.slice(0, SUBMODULES_LIMIT)) {
    const commit = await commitOf(join(top, record.path.toString('utf8')), 'HEAD', signal);
    const mark = marks[index];
    if (mark !== undefined) marks[index] = { ...mark, mark: `${mark.mark}.${commit}` };
  }
  return marks;
}

function isSubmodule(comparison: Comparison, record: ChangeRecord): boolean {
  return isFile(comparison, record) && record.newMode === SUBMODULE_MODE;
}

/** One word for the whole state that a question is about. */
export function fingerprint(question: ChangesQuestion, comparison: Comparison, listing: Listing): string {
  const hash = createHash('sha256');
  const { mode, paths = [], untracked = true, contextLines = null } = question;
  const { top, head, base, command } = comparison;
  hash.update(JSON.stringify([top, head, base, command, mode, paths, untracked, contextLines]));
  listing.records.forEach((record, index) => {
    const { oldMode, newMode, oldId, newId, status, path, oldPath } = record;
    hash.update(`\0${oldMode} ${newMode} ${oldId} ${newId} ${status} ${listing.marks[index]?.mark}\0`);
    hash.update(path);
    if (oldPath !== null) hash.update('\0').update(oldPath);
  });
  listing.untracked.paths.forEach((path, index) => {
    hash.update(`\0? ${listing.untrackedMarks[index]?.mark}\0`).update(path);
  });
  return hash.update(`\0${listing.untracked.omitted}`).digest('base64url');
}

/** Whether two lists of differences are the same one. */
export function areSame(one: readonly ChangeRecord[], other: readonly ChangeRecord[]): boolean {
  return one.length === other.length && one.every((record, index) => isSame(record, other[index]));
}

function isSame(one: ChangeRecord, other: ChangeRecord | undefined): boolean {
  return (
    other !== undefined &&
    one.status === other.status &&
    one.oldMode === other.oldMode &&
    one.newMode === other.newMode &&
    one.oldId === other.oldId &&
    one.newId === other.newId &&
    one.path.equals(other.path) &&
    (one.oldPath === null ? other.oldPath === null : other.oldPath !== null && one.oldPath.equals(other.oldPath))
  );
}
