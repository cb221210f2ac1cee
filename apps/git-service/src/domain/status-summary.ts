/** What `git status` says of a checkout, counted. */
export interface StatusSummary {
  readonly upstream: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly changes: StatusCounts;
}

export interface StatusCounts {
  readonly staged: number;
  readonly unstaged: number;
  readonly untracked: number;
  readonly conflicted: number;
}

const UPSTREAM = '# branch.upstream ';
const AHEAD_BEHIND = /^# branch\.ab \+(\d+) -(\d+)$/;
const UNCHANGED = '.';

/**
 * Reads the output of `git status --porcelain=v2 --branch -z`. The second name of a renamed file stands alone between
 * its NULs and may look like anything, so entries are taken in order.
 */
export function summarizeStatus(output: string): StatusSummary {
  const parts = output.split('\0');
  const counts = { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 };
  let upstream: string | null = null;
  let ahead: number | null = null;
  let behind: number | null = null;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? '';
    const distance = AHEAD_BEHIND.exec(part);
    if (part.startsWith(UPSTREAM)) upstream = part.slice(UPSTREAM.length);
    else if (distance !== null) [ahead, behind] = [Number(distance[1]), Number(distance[2])];
    else count(counts, part);
    if (part.startsWith('2 ')) i++;
  }
  return { upstream, ahead, behind, changes: counts };
}

function count(counts: { -readonly [K in keyof StatusCounts]: number }, entry: string): void {
  const kind = entry.slice(0, 2);
  if (kind === '? ') counts.untracked++;
  else if (kind === 'u ') counts.conflicted++;
  else if (kind === '1 ' || kind === '2 ') {
    if (entry[2] !== UNCHANGED) counts.staged++;
    if (entry[3] !== UNCHANGED) counts.unstaged++;
  }
}
