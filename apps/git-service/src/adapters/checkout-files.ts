import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Checkout } from '../domain/watch/watch-plan.js';
import { git } from './git-cli.js';

/** git prints a flag that it does not know as it is: no path is mistaken for the end of another (bug case F1). */
const SEPARATOR = '--end-of-path';

/** Finds the checkout that holds a folder. @throws `not_a_git_repo` and what else `git` throws */
export async function locate(folder: string, signal: AbortSignal): Promise<Checkout> {
  const asked = ['--is-inside-work-tree', SEPARATOR, '--absolute-git-dir', SEPARATOR, '--git-common-dir', SEPARATOR];
  const output = await git(folder, ['rev-parse', '--path-format=absolute', ...asked], { signal });
  const [inside = '', gitDir = '', commonDir = ''] = output.split(`\n${SEPARATOR}\n`);
  if (inside !== 'true') return { root: gitDir, gitDir, commonDir, bare: true };
  const root = await git(folder, ['rev-parse', '--show-toplevel'], { signal });
  return { root: root.replace(/\n$/, ''), gitDir, commonDir, bare: false };
}

/** The nearest folder, the given one or above it, that has a `.git`; null: none has. Costs a look at each of them. */
export function checkoutAbove(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}
