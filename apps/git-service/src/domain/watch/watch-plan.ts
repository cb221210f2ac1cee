import { posix } from 'node:path';

/** Where git keeps the state of a checkout. All paths are absolute. */
export interface Checkout {
  /** Top of the checkout; of a bare repository its folder. */
  readonly root: string;
  /** HEAD, index and what is in progress. */
  readonly gitDir: string;
  /** Refs and configuration, which the worktrees of a repository share; of the main checkout the same as `gitDir`. */
  readonly commonDir: string;
  readonly bare: boolean;
}

/** A directory to watch, and the names in it that matter. Anything else in it is not worth a look. */
export type WatchPlan = ReadonlyMap<string, ReadonlySet<string>>;

/** Of one checkout. Lock files come and go beside these and say nothing. */
const OWN = [
  'HEAD',
  'index',
  'FETCH_HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'config.worktree',
  'gitdir',
  'reftable',
];
/** Of the repository. */
const SHARED = ['packed-refs', 'config', 'reftable'];
/** The list of its tables is written anew with every change of a ref. */
const REFTABLE = ['tables.list'];

/**
 * What to watch so that no change of branch, commit, upstream, index or operation is missed: at most eight directories,
 * none of them in the checkout itself and no folder of refs that has nothing to do with the branch. Directories are
 * watched and not files, because git replaces files.
 *
 * @param upstream as git shortens it, `origin/main`
 * @param exists whether a directory does: a branch whose refs are packed has none, and then the nearest above it tells
 *   when it appears
 */
export function watchPlan(
  { root, gitDir, commonDir, bare }: Checkout,
  { branch, upstream }: { readonly branch: string | null; readonly upstream: string | null },
  exists: (directory: string) => boolean,
): WatchPlan {
  const plan = new Map<string, Set<string>>();
  const watch = (directory: string, names: readonly string[]) => {
    const wanted = plan.get(directory) ?? new Set();
    for (const name of names) wanted.add(name);
    plan.set(directory, wanted);
  };
  watch(gitDir, OWN);
  watch(commonDir, SHARED);
  for (const directory of new Set([gitDir, commonDir])) {
    const tables = posix.join(directory, 'reftable');
    if (exists(tables)) watch(tables, REFTABLE);
  }
  const refs = [
    ...(branch === null ? [] : [`refs/heads/${branch}`]),
    // Short names of upstreams are those of remote branches, or of local ones.
    ...(upstream === null ? [] : [`refs/remotes/${upstream}`, `refs/heads/${upstream}`]),
  ];
  for (const ref of refs) {
    const { directory, name } = nearest(commonDir, ref, exists);
    watch(directory, [name]);
  }
  // The folder of a worktree can be deleted while what git keeps of it stays. Its `.git` is a file that nobody writes to.
  if (!bare && gitDir !== posix.join(root, '.git')) watch(posix.join(root, '.git'), []);
  return plan;
}

function nearest(
  base: string,
  ref: string,
  exists: (directory: string) => boolean,
): { readonly directory: string; readonly name: string } {
  const parts = ref.split('/');
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const directory = posix.join(base, ...parts.slice(0, depth));
    if (exists(directory)) return { directory, name: parts[depth] ?? '' };
  }
  return { directory: base, name: parts[0] ?? '' };
}
