import type { BusEvent } from '@switchyard/protocol';

export type GitFacts = NonNullable<BusEvent<'git.changed'>['git']>;
export type PullRequest = NonNullable<GitFacts['pull_request']>;

/** What `gh pr view` is asked for. */
export const PULL_REQUEST_FIELDS = ['number', 'title', 'url', 'state', 'isDraft', 'headRefName', 'statusCheckRollup'];
const LABEL = 'PR';
/** What is shown of a title in a list. */
const MAX_TITLE_CHARS = 256;
/** programa-api §5.6: 4 KiB. */
const MAX_URL_CHARS = 4096;
const MAX_BRANCH_CHARS = 1024;

const STATES: Readonly<Record<string, PullRequest['state']>> = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' };
/** Conclusions of check runs and states of commit statuses that block a merge. */
const FAILED = new Set(['FAILURE', 'ERROR', 'CANCELLED', 'TIMED_OUT', 'ACTION_REQUIRED', 'STARTUP_FAILURE', 'STALE']);
const UNDECIDED = new Set(['', 'PENDING', 'EXPECTED', 'QUEUED', 'IN_PROGRESS', 'WAITING', 'REQUESTED']);

/**
 * Reads what `gh pr view --json …` printed.
 * @returns null when it is not what we know: a program of that name that is another, or a version that says it otherwise
 */
export function parsePullRequest(output: string): PullRequest | null {
  const said = parsed(output);
  const { number, title, url, state, isDraft, headRefName, statusCheckRollup } = said;
  const known = typeof state === 'string' ? STATES[state] : undefined;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || known === undefined) return null;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || url.length > MAX_URL_CHARS) return null;
  return {
    number,
    label: LABEL,
    url,
    state: known,
    branch: typeof headRefName === 'string' ? headRefName.slice(0, MAX_BRANCH_CHARS) : null,
    checks: Array.isArray(statusCheckRollup) ? checksOf(statusCheckRollup) : null,
    title: typeof title === 'string' ? title.slice(0, MAX_TITLE_CHARS) : '',
    draft: isDraft === true,
  };
}

/** What a pull request is looked up by: when none of it has changed, neither has the answer by anything done here. */
export const lookupKey = ({ root, branch, head, upstream, ahead }: GitFacts): string =>
  JSON.stringify([root, branch, head, upstream, ahead]);

function parsed(output: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Not JSON: the caller is told as of anything else that is not known.
    return {};
  }
}

/** One failure is a failure; else one that is undecided leaves all undecided. */
function checksOf(rollup: readonly unknown[]): PullRequest['checks'] {
  if (rollup.length === 0) return null;
  const outcomes = rollup.map((check) => {
    const { conclusion, state } = typeof check === 'object' && check !== null ? (check as CheckRow) : {};
    return String(conclusion ?? state ?? '').toUpperCase();
  });
  if (outcomes.some((outcome) => FAILED.has(outcome))) return 'fail';
  return outcomes.some((outcome) => UNDECIDED.has(outcome)) ? 'pending' : 'pass';
}

/** A check run has a conclusion, empty while it runs; a commit status has a state. */
interface CheckRow {
  readonly conclusion?: unknown;
  readonly state?: unknown;
}
