import { tryGit } from '../adapters/git-cli.js';
import { gitStatus } from '../adapters/git-status.js';
import { inProgressOf } from '../adapters/in-progress.js';
import type { GitFacts } from '../domain/watch/pull-request.js';
import type { Checkout } from '../domain/watch/watch-plan.js';

/** What one look at a checkout finds; pull requests are another matter. */
export type Seen = Omit<GitFacts, 'pull_request'>;

/** Looks at a checkout: one run of git, two in a bare repository. @throws what `git` throws */
export async function lookAt(checkout: Checkout, signal: AbortSignal): Promise<Seen> {
  if (checkout.bare) return lookAtBare(checkout, signal);
  const { root, gitDir } = checkout;
  const { head, hidden } = await gitStatus(root, [], 0, { signal });
  return {
    root,
    ...head,
    dirty: hidden > 0,
    changed_count: hidden,
    operation: await inProgressOf(gitDir),
  };
}

async function lookAtBare({ root }: Checkout, signal: AbortSignal): Promise<Seen> {
  const said = async (...args: string[]) => {
    const { exitCode, stdout } = await tryGit(root, args, { signal });
    return exitCode === 0 ? stdout.toString('utf8').trimEnd() : null;
  };
  const branch = await said('symbolic-ref', '--quiet', '--short', 'HEAD');
  return {
    root,
    branch,
    detached: branch === null,
    head: await said('rev-parse', '--quiet', '--verify', 'HEAD'),
    upstream: null,
    ahead: null,
    behind: null,
    dirty: null,
    changed_count: null,
    operation: null,
  };
}
