import { operationIn } from '../adapters/checkout-files.js';
import { git, tryGit } from '../adapters/git-cli.js';
import type { GitFacts } from '../domain/watch/pull-request.js';
import { summarize } from '../domain/watch/status-summary.js';
import type { Checkout } from '../domain/watch/watch-plan.js';

/** What one look at a checkout finds; pull requests are another matter. */
export type Seen = Omit<GitFacts, 'pull_request'>;

/** Looks at a checkout: one run of git, two in a bare repository. @throws what `git` throws */
export async function lookAt(checkout: Checkout, signal: AbortSignal): Promise<Seen> {
  if (checkout.bare) return lookAtBare(checkout, signal);
  const output = await git(checkout.root, ['status', '--porcelain=v2', '--branch', '-z'], { signal });
  const { changed, ...where } = summarize(output);
  return {
    root: checkout.root,
    ...where,
    dirty: changed > 0,
    changed_count: changed,
    operation: operationIn(checkout),
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
