import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PULL_REQUEST_FIELDS } from '../domain/watch/pull-request.js';

/** It asks a server, perhaps over a bad line. */
const TIMEOUT_MS = 20_000;
/** A pull request with hundreds of checks. */
const OUTPUT_LIMIT_BYTES = 4 * 1024 * 1024;
/** Exit status of gh where nobody has logged in. */
const NOT_LOGGED_IN = 4;

/** How gh says that there is none; it ends with 1 for that, and for everything that goes wrong. */
const NONE = /no (open )?pull requests found/i;

/**
 * `none`: the branch has no pull request. `failed`: that could not be learnt now. `unusable`: there is no gh, or nobody
 * has logged in.
 */
export type GhAnswer =
  | { readonly is: 'found'; readonly output: string }
  | { readonly is: 'none' | 'failed' | 'unusable'; readonly reason: string };

/**
 * Asks GitHub's own command line for the pull request of the branch that is checked out in a folder. The only place that
 * starts gh. It never asks a question of its own and changes nothing.
 */
export function viewPullRequest(folder: string, signal: AbortSignal): Promise<GhAnswer> {
  const args = ['pr', 'view', '--json', PULL_REQUEST_FIELDS.join(',')];
  const options = {
    cwd: folder,
    env: {
      ...process.env,
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
      NO_COLOR: '1',
      GIT_OPTIONAL_LOCKS: '0',
    },
    timeout: TIMEOUT_MS,
    maxBuffer: OUTPUT_LIMIT_BYTES,
    killSignal: 'SIGKILL',
    signal,
  } as const;
  return new Promise((resolve) => {
    const child = execFile('gh', args, options, (error, stdout, stderr) => {
      if (error === null) resolve({ is: 'found', output: stdout });
      else
        resolve({ is: existsSync(folder) ? whyNot(error, stderr) : 'failed', reason: stderr.trim() || error.message });
    });
    child.stdin?.end();
  });
}

/** `code` is that of the system where gh could not be started, else its exit status. */
function whyNot({ code }: { readonly code?: unknown }, said: string): 'none' | 'failed' | 'unusable' {
  if (code === 'ENOENT' || code === 'EACCES' || code === NOT_LOGGED_IN) return 'unusable';
  return NONE.test(said) ? 'none' : 'failed';
}
