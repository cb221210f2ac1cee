/** What one run of `git status` says of a checkout as a whole. */
export interface StatusSummary {
  /** null on a detached HEAD. */
  readonly branch: string | null;
  readonly detached: boolean;
  /** null on a branch without a commit. */
  readonly head: string | null;
  readonly upstream: string | null;
  /** null without an upstream, or while that is gone. */
  readonly ahead: number | null;
  readonly behind: number | null;
  /** Entries that git lists; an untracked folder is one. */
  readonly changed: number;
}

const DETACHED = '(detached)';
const UNBORN = '(initial)';
const AHEAD_BEHIND = /^\+(\d+) -(\d+)$/;
/** An entry of this type has its former name as a further field. */
const RENAMED = '2 ';

/**
 * Reads `git status --porcelain=v2 --branch -z`: headers and entries end with NUL, names may hold anything else. The
 * entries are counted, not kept: a checkout may have as many as it has files.
 */
export function summarize(output: string): StatusSummary {
  const headers = new Map<string, string>();
  let changed = 0;
  for (let at = 0; at < output.length; ) {
    const end = fieldEnd(output, at);
    if (output.startsWith('# ', at)) addHeader(headers, output.slice(at + 2, end));
    else changed++;
    at = (output.startsWith(RENAMED, at) ? fieldEnd(output, end + 1) : end) + 1;
  }
  const head = headers.get('branch.head') ?? DETACHED;
  const commit = headers.get('branch.oid') ?? UNBORN;
  const [, ahead, behind] = AHEAD_BEHIND.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    branch: head === DETACHED ? null : head,
    detached: head === DETACHED,
    head: commit === UNBORN ? null : commit,
    upstream: headers.get('branch.upstream') ?? null,
    ahead: ahead === undefined ? null : Number(ahead),
    behind: behind === undefined ? null : Number(behind),
    changed,
  };
}

function fieldEnd(output: string, from: number): number {
  const end = output.indexOf('\0', from);
  return end < 0 ? output.length : end;
}

function addHeader(headers: Map<string, string>, header: string): void {
  const gap = header.indexOf(' ');
  if (gap > 0) headers.set(header.slice(0, gap), header.slice(gap + 1));
}
