import { type ChangedFile, type ChangeStatus, type DiffHunk, named } from './changed-file.js';
import type { PatchedRecord } from './diff-reader.js';
import type { PatchSection } from './patch-reader.js';
import type { ChangeRecord } from './raw-records.js';
import { isSecretPath } from './secret-paths.js';

const NO_FILE = '000000';
const SYMLINK = '120000';
const SUBMODULE = '160000';
const STATUSES: Record<ChangeRecord['status'], ChangeStatus> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
  U: 'unmerged',
};
const SUBPROJECT = /^Subproject commit ([0-9a-f]{40,64})(-dirty)?$/;

type Seen = Pick<ChangedFile, 'kind'> & Partial<Pick<ChangedFile, 'hunks' | 'not_utf8' | 'symlink' | 'submodule'>>;

/** Whether a record is of a secret on either side: what was moved away from a secret name is the secret still. */
export function isWithheld({ path, oldPath }: Pick<ChangeRecord, 'path' | 'oldPath'>): boolean {
  return isSecretPath(path) || (oldPath !== null && isSecretPath(oldPath));
}

/**
 * A file that git knows, as it is told. A file over `core.bigFileThreshold` passes for binary, as it does with git: only
 * its size tells the two apart.
 *
 * @param before the record before, if there is one: of a file with conflicts git lists two
 * @param after the one behind it
 * @returns null where there is nothing to tell: only times changed, or the next record tells it
 */
export function trackedFile(
  { record, sections }: PatchedRecord,
  before: ChangeRecord | undefined,
  after: ChangeRecord | undefined,
): ChangedFile | null {
  if (isSamePlace(record, after) && record.status === 'U') return null;
  if (isUntouched(record, sections)) return null;
  const isUnmerged = before?.status === 'U' && isSamePlace(before, record);
  const seen: Seen = isWithheld(record) ? { kind: 'withheld' } : lookAt(record, sections);
  const isCounted = seen.kind === 'text';
  return {
    ...named('path', record.path),
    ...(record.oldPath === null ? { old_path: null } : named('old_path', record.oldPath)),
    status: isUnmerged ? 'unmerged' : STATUSES[record.status],
    untracked: false,
    old_mode: modeOrNull(record.oldMode),
    new_mode: modeOrNull(record.newMode),
    similarity: record.similarity,
    additions: isCounted ? sum(sections, 'additions') : null,
    deletions: isCounted ? sum(sections, 'deletions') : null,
    hunks: [],
    ...seen,
  };
}

function isSamePlace(one: ChangeRecord | undefined, other: ChangeRecord | undefined): boolean {
  return one !== undefined && other !== undefined && one.path.equals(other.path);
}

/** Without a patch, and without anything else that differs, only the times of the file are new. */
function isUntouched({ status, oldMode, newMode }: ChangeRecord, sections: readonly PatchSection[]): boolean {
  return status === 'M' && oldMode === newMode && sections.length === 0;
}

function lookAt(record: ChangeRecord, sections: readonly PatchSection[]): Seen {
  const modes = [record.oldMode, record.newMode];
  const hunks = sections.flatMap((section) => section.hunks);
  if (record.status === 'T') {
    return { kind: 'typechange', ...(modes.includes(SYMLINK) && { symlink: targetsOf(record, sections) }) };
  }
  if (modes.includes(SUBMODULE)) return { kind: 'submodule', submodule: submoduleOf(record, hunks) };
  if (modes.includes(SYMLINK)) return { kind: 'symlink', symlink: targetsOf(record, sections) };
  if (sections.some((section) => section.isTooLarge)) return { kind: 'too_large' };
  if (sections.some((section) => section.isBinary)) return { kind: 'binary' };
  const isUtf8 = sections.every((section) => section.isUtf8);
  return { kind: 'text', hunks, ...(!isUtf8 && { not_utf8: true }) };
}

/** git shows what a symbolic link says as if it were the contents of a file without a line end. */
function targetsOf({ oldMode, newMode }: ChangeRecord, sections: readonly PatchSection[]) {
  return {
    old_target: oldMode === SYMLINK ? textOf(sections, 'removed') : null,
    new_target: newMode === SYMLINK ? textOf(sections, 'added') : null,
  };
}

/** Of a change of type, the old side is in the first section and the new one in the second. */
function textOf(sections: readonly PatchSection[], kind: 'added' | 'removed'): string | null {
  const section = kind === 'removed' ? sections[0] : sections.at(-1);
  const lines = section?.hunks
    .flatMap((hunk) => hunk.lines)
    .filter((line) => line.kind === kind || line.kind === 'context');
  return lines === undefined || lines.length === 0 ? null : lines.map(({ text }) => text).join('\n');
}

function submoduleOf({ oldMode, newMode, oldId }: ChangeRecord, hunks: readonly DiffHunk[]) {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const commitIn = (kind: 'added' | 'removed') =>
    lines.flatMap((line) => (line.kind === kind ? [SUBPROJECT.exec(line.text)] : [])).find((match) => match !== null);
  const now = commitIn('added');
  return {
    old_commit: oldMode === SUBMODULE ? (commitIn('removed')?.[1] ?? oldId) : null,
    new_commit: newMode === SUBMODULE ? (now?.[1] ?? null) : null,
    dirty: now?.[2] !== undefined,
  };
}

const modeOrNull = (mode: string) => (mode === NO_FILE ? null : mode);

function sum(sections: readonly PatchSection[], which: 'additions' | 'deletions'): number {
  return sections.reduce((total, section) => total + section[which], 0);
}
