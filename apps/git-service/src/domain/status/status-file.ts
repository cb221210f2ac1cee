import type { Result } from '@switchyard/protocol';
import { named } from '../diff/changed-file.js';
import type { StatusEntry } from './status-reader.js';

export type StatusFile = Result<'workspace.git.status'>['files'][number];
type State = StatusFile['staged'];
type Conflict = NonNullable<StatusFile['conflict']>;

const UNTRACKED = '??';
const STATES: Readonly<Record<string, NonNullable<State>>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type_changed',
};
const CONFLICTS: Readonly<Record<string, Conflict>> = {
  DD: 'both_deleted',
  AU: 'added_by_us',
  UD: 'deleted_by_them',
  UA: 'added_by_them',
  DU: 'deleted_by_us',
  AA: 'both_added',
  UU: 'both_modified',
};

/** An entry of the status, as it is told. */
export function statusFile({ path, oldPath, xy, isConflict, submodule }: StatusEntry): StatusFile {
  const isUntracked = xy === UNTRACKED;
  const isPlain = !isUntracked && !isConflict;
  return {
    ...named('path', path),
    ...(oldPath === null ? { old_path: null } : named('old_path', oldPath)),
    staged: isPlain ? stateOf(xy[0]) : null,
    unstaged: isPlain ? stateOf(xy[1]) : null,
    untracked: isUntracked,
    conflict: isConflict ? (CONFLICTS[xy] ?? 'both_modified') : null,
    submodule: submodule === null ? null : submoduleOf(submodule),
  };
}

const stateOf = (letter: string | undefined): State => STATES[letter ?? '.'] ?? null;

function submoduleOf(flags: string): StatusFile['submodule'] {
  return { commit_changed: flags[1] === 'C', modified: flags[2] === 'M', untracked: flags[3] === 'U' };
}
