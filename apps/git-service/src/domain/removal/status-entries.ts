import type { ByteText } from './byte-text.js';

/** Asks for everything a removal could lose, whatever the user's settings hide. */
export const STATUS_ARGS: readonly string[] = [
  '-c',
  'core.untrackedCache=false',
  'status',
  '--porcelain=v2',
  '-z',
  '--no-renames',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--ignored=matching',
  '--ignore-submodules=none',
];

/** A tracked path that differs from what is committed. */
export interface Change {
  readonly path: ByteText;
  /** The index differs from HEAD. */
  readonly staged: boolean;
  /** The file differs from the index; a missing file as well. */
  readonly unstaged: boolean;
  readonly conflicted: boolean;
  /** It is not there on disk. */
  readonly missing: boolean;
  /** A submodule: what differs in it, in git's letters (`C` commit, `M` modified, `U` untracked); else null. */
  readonly submodule: string | null;
}

export interface StatusEntries {
  readonly changes: readonly Change[];
  readonly untracked: readonly ByteText[];
  /** A folder ends with `/` and is not looked into. */
  readonly ignored: readonly ByteText[];
}

/** How many fields stand before the path, by the first character of an entry. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, u: 10 };
const GONE = '000000';

/** Reads the output of git with {@link STATUS_ARGS}: entries end with NUL and hold any other byte. */
export function parseStatus(output: ByteText): StatusEntries {
  const changes: Change[] = [];
  const untracked: ByteText[] = [];
  const ignored: ByteText[] = [];
  for (const entry of output.split('\0')) {
    if (entry.startsWith('? ')) untracked.push(entry.slice(2));
    else if (entry.startsWith('! ')) ignored.push(entry.slice(2));
    else if (entry !== '' && !entry.startsWith('#')) changes.push(parseChange(entry));
  }
  return { changes, untracked, ignored };
}

function parseChange(entry: ByteText): Change {
  const kind = entry[0] ?? '';
  const count = FIELDS_BEFORE_PATH[kind];
  if (count === undefined) throw new Error(`git status printed an entry of an unknown kind: ${kind}`);
  const fields = entry.split(' ', count);
  const path = entry.slice(fields.join(' ').length + 1);
  const [, xy = '..', sub = 'N...'] = fields;
  const modeOnDisk = kind === 'u' ? fields[6] : fields[5];
  return {
    path,
    // `.A`: only announced (`git add -N`), but the index has an entry for it that the commit lacks.
    staged: kind === 'u' || xy[0] !== '.' || xy[1] === 'A',
    unstaged: kind === 'u' || xy[1] !== '.',
    conflicted: kind === 'u',
    missing: modeOnDisk === GONE,
    submodule: sub.startsWith('S') ? sub.slice(1).replaceAll('.', '') : null,
  };
}

/** One entry of `git ls-files -v --stage -z`. */
export interface IndexEntry {
  readonly path: ByteText;
  readonly mode: string;
  readonly id: string;
  /** 0, or 1 to 3 in a conflict. */
  readonly stage: number;
  /** The user told git not to look at the file (assume-unchanged, skip-worktree): status does not show its changes. */
  readonly hidden: boolean;
}

export const INDEX_ARGS: readonly string[] = ['ls-files', '-v', '--stage', '-z'];
const SUBMODULE_MODE = '160000';

export const isSubmodule = (entry: IndexEntry): boolean => entry.mode === SUBMODULE_MODE;

/** Reads the output of git with {@link INDEX_ARGS}. */
export function parseIndex(output: ByteText): IndexEntry[] {
  return output.split('\0').flatMap((entry) => {
    const match = /^(\S) (\d+) ([0-9a-f]+) ([0-3])\t([\s\S]+)$/.exec(entry);
    if (match === null) return [];
    const [, tag = 'H', mode = '', id = '', stage = '0', path = ''] = match;
    // A small letter: assume-unchanged; S: skip-worktree.
    return [{ path, mode, id, stage: Number(stage), hidden: tag === 'S' || tag !== tag.toUpperCase() }];
  });
}
