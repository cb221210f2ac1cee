/** One line of `git worktree list`, bare entries left out. */
export interface Worktree {
  readonly path: string;
  /** Local branch without `refs/heads/`; null on a detached HEAD. */
  readonly branch: string | null;
  /** Commit id; null on a branch that has no commit yet. */
  readonly head: string | null;
}

const BRANCH_PREFIX = 'refs/heads/';
/** What git prints as HEAD of a branch without a commit, whatever the hash function: nothing but zeros. */
const NO_COMMIT = /^0+$/;

/**
 * Reads the output of `git worktree list --porcelain -z`: attributes end with NUL, an empty one ends the entry.
 * Paths may hold any other character, newlines included (bug case F1).
 */
export function parseWorktrees(output: string): Worktree[] {
  const found: Worktree[] = [];
  let attributes: string[] = [];
  for (const attribute of output.split('\0')) {
    if (attribute !== '') {
      attributes.push(attribute);
      continue;
    }
    const worktree = readEntry(attributes);
    if (worktree !== null) found.push(worktree);
    attributes = [];
  }
  return found;
}

function readEntry(attributes: readonly string[]): Worktree | null {
  const path = valueOf(attributes, 'worktree');
  if (path === undefined || attributes.includes('bare')) return null;
  const ref = valueOf(attributes, 'branch');
  const head = valueOf(attributes, 'HEAD');
  return {
    path,
    branch: ref === undefined ? null : ref.startsWith(BRANCH_PREFIX) ? ref.slice(BRANCH_PREFIX.length) : ref,
    head: head === undefined || NO_COMMIT.test(head) ? null : head,
  };
}

function valueOf(attributes: readonly string[], name: string): string | undefined {
  const line = attributes.find((attribute) => attribute.startsWith(`${name} `));
  return line?.slice(name.length + 1);
}
