import { fail } from '@switchyard/protocol';

/** An entry of `git status --porcelain=v2 -z`. */
export interface StatusEntry {
  /** From the top of the worktree: any bytes but NUL. */
  readonly path: Buffer;
  /** Where it was, of a renamed or copied file. */
  readonly oldPath: Buffer | null;
  /** Two letters of git, of the index and of the file; `??` of a file that git does not know. */
  readonly xy: string;
  readonly isConflict: boolean;
  /** `SCMU` with dots for what is not so; null: no submodule. */
  readonly submodule: string | null;
}

/** What the headers say of the worktree as a whole. */
export interface StatusHead {
  /** null on a detached HEAD. */
  readonly branch: string | null;
  readonly detached: boolean;
  /** Commit id; null on a branch that has no commit yet. */
  readonly head: string | null;
  readonly upstream: string | null;
  /** Commits that the upstream lacks; null without one, or while that is gone. */
  readonly ahead: number | null;
  readonly behind: number | null;
}

/** A file that is both staged and changed since counts twice. */
export interface StatusCounts {
  readonly staged: number;
  readonly unstaged: number;
  readonly untracked: number;
  readonly conflicted: number;
}

const NUL = 0;
const SPACE = 0x20;
const UNTRACKED = '??';
const DETACHED = '(detached)';
const UNBORN = '(initial)';
const HEADER = /^# (\S+) (.*)$/s;
const AHEAD_BEHIND = /^\+(\d+) -(\d+)$/;
/** How many fields, each with a blank behind it, stand before the path, by the first character of an entry. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

/**
 * Reads the output of `git status --porcelain=v2 --branch -z` piece by piece, as it comes: headers and entries end with
 * NUL, names hold any other byte. Entries are kept up to a limit; all are counted.
 */
export class StatusReader {
  readonly entries: StatusEntry[] = [];
  readonly #limit: number;
  readonly #headers = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  /** An entry whose former name comes next. */
  #renamed: Omit<StatusEntry, 'oldPath'> | null = null;
  #staged = 0;
  #unstaged = 0;
  #untracked = 0;
  #conflicted = 0;
  #total = 0;

  /** @param limit entries to keep */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get head(): StatusHead {
    const branch = this.#headers.get('branch.head') ?? DETACHED;
    const commit = this.#headers.get('branch.oid') ?? UNBORN;
    const [, ahead, behind] = AHEAD_BEHIND.exec(this.#headers.get('branch.ab') ?? '') ?? [];
    return {
      branch: branch === DETACHED ? null : branch,
      detached: branch === DETACHED,
      head: commit === UNBORN ? null : commit,
      upstream: this.#headers.get('branch.upstream') ?? null,
      ahead: ahead === undefined ? null : Number(ahead),
      behind: behind === undefined ? null : Number(behind),
    };
  }

  get counts(): StatusCounts {
    return {
      staged: this.#staged,
      unstaged: this.#unstaged,
      untracked: this.#untracked,
      conflicted: this.#conflicted,
    };
  }

  /** Entries that were not kept. */
  get hidden(): number {
    return this.#total - this.entries.length;
  }

  push(piece: Buffer): void {
    const data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let from = 0;
    for (let end = data.indexOf(NUL); end >= 0; end = data.indexOf(NUL, from)) {
      this.#take(data.subarray(from, end));
      from = end + 1;
    }
    this.#rest = Buffer.from(data.subarray(from));
  }

  #take(field: Buffer): void {
    if (this.#renamed !== null) {
      this.#keep({ ...this.#renamed, oldPath: Buffer.from(field) });
      this.#renamed = null;
      return;
    }
    const kind = String.fromCharCode(field[0] ?? NUL);
    if (kind === '#') {
      const [, name = '', value = ''] = HEADER.exec(field.toString('utf8')) ?? [];
      this.#headers.set(name, value);
      return;
    }
    const pathAt = afterFields(field, FIELDS[kind] ?? unknown(field));
    const [, xy = '', submodule = ''] = field.toString('latin1', 0, pathAt).split(' ');
    const entry = {
      path: Buffer.from(field.subarray(pathAt)),
      xy: kind === '?' ? UNTRACKED : xy,
      isConflict: kind === 'u',
      submodule: submodule.startsWith('S') ? submodule : null,
    };
    if (kind === '2') this.#renamed = entry;
    else this.#keep({ ...entry, oldPath: null });
  }

  #keep(entry: StatusEntry): void {
    this.#total++;
    if (entry.xy === UNTRACKED) this.#untracked++;
    else if (entry.isConflict) this.#conflicted++;
    else {
      if (entry.xy[0] !== '.') this.#staged++;
      if (entry.xy[1] !== '.') this.#unstaged++;
    }
    if (this.entries.length < this.#limit) this.entries.push(entry);
  }
}

function afterFields(field: Buffer, count: number): number {
  let at = 0;
  for (let left = count; left > 0; left--) {
    at = field.indexOf(SPACE, at) + 1;
    if (at === 0) unknown(field);
  }
  return at;
}

function unknown(field: Buffer): never {
  return fail('git_command_failed', 'git status prints an entry in a form that is not known.', {
    entry: field.toString('utf8'),
  });
}
