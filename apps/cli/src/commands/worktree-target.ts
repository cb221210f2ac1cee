import { resolve } from 'node:path';
import { type Options, text } from '../command.js';
import { type Context, UsageError } from '../context.js';

/** A folder is written so that it cannot be meant as a branch. */
const PATH = /^[/.~]/;

/** The repository that is meant: `--repo`, else that of the present folder. */
export const repoOf = (options: Options) => ({ repo: placeOf(text(options, 'repo') ?? '.') });

export const which = (target: string) => (PATH.test(target) ? { path: placeOf(target) } : { branch: target });

/** The yard has no working directory of the caller's; what begins with `~/` it can read itself. */
export const placeOf = (path: string) => (path.startsWith('~') ? path : resolve(path));

/** The worktree that is named, else the one that the command was typed in. */
export async function named(context: Context, what: readonly string[], options: Options) {
  noMore(what, 1);
  const [target] = what;
  if (target !== undefined) return which(target);
  const { repo } = await context.call('worktree.list', repoOf(options));
  return { path: repo };
}

/** The options of these names that were given, as parameters of the same names. */
export function given<const N extends string>(options: Options, ...names: N[]): { [K in N]?: string } {
  const pairs = names.map((name) => [name, text(options, name)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as { [K in N]?: string };
}

export function noMore(what: readonly string[], most: number): void {
  const extra = what[most];
  if (extra !== undefined) throw new UsageError(`${extra}: that is one argument too many`);
}
