/** One entry of `git worktree list`. A bare one has no checkout and thus no head: it is left out. */
export interface Worktree {
  readonly path: string;
  /** Local branch without `refs/heads/`; null on a detached HEAD. */
  readonly branch: string | null;
  /** Commit id; nothing but zeros on a branch that has no commit yet. */
  readonly head: string;
}

const BRANCH_PREFIX = 'refs/heads/';

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
  const path = attributeOf(attributes, 'worktree');
  const head = attributeOf(attributes, 'HEAD');
  if (path === undefined || head === undefined) return null;
  const ref = attributeOf(attributes, 'branch');
  return {
    path,
    branch: ref === undefined ? null : ref.startsWith(BRANCH_PREFIX) ? ref.slice(BRANCH_PREFIX.length) : ref,
    head,
  };
}

function attributeOf(attributes: readonly string[], name: string): string | undefined {
  const line = attributes.find((attribute) => attribute.startsWith(`${name} `));
  return line?.slice(name.length + 1);
}
