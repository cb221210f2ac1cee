/** One entry of `git worktree list`. A bare one has no checkout and thus no head: it is left out. */
export interface Worktree {
  readonly path: string;
  /** Local branch without `refs/heads/`; null on a detached HEAD. */
  readonly branch: string | null;
  /** Commit id; nothing but zeros on a branch that has no commit yet. */
  readonly head: string;
  /** The checkout that belongs to the repository itself. */
  readonly isMain: boolean;
  /** Why it is locked; empty when no reason was given, null when it is not. */
  readonly locked: string | null;
  /** Why git would prune it; null when it would not. */
  readonly prunable: string | null;
}

const BRANCH_PREFIX = 'refs/heads/';
/** What `git worktree add` says while it is at work; gone when the checkout is complete. */
const INITIALIZING = 'initializing';

/**
 * Reads the output of `git worktree list --porcelain -z`: attributes end with NUL, an empty one ends the entry.
 * Paths may hold any other character, newlines included (bug case F1). The first entry is the repository itself.
 */
export function parseWorktrees(output: string): Worktree[] {
  const found: Worktree[] = [];
  let attributes: string[] = [];
  let entries = 0;
  for (const attribute of output.split('\0')) {
    if (attribute !== '') {
      attributes.push(attribute);
      continue;
    }
    const worktree = readEntry(attributes, entries === 0);
    if (worktree !== null) found.push(worktree);
    if (attributes.length > 0) entries++;
    attributes = [];
  }
  return found;
}

/** git has registered it, and is still at work on its files, or died over it. */
export function isHalfMade({ locked }: Pick<Worktree, 'locked'>): boolean {
  return locked === INITIALIZING;
}

function readEntry(attributes: readonly string[], isMain: boolean): Worktree | null {
  const path = attributeOf(attributes, 'worktree');
  const head = attributeOf(attributes, 'HEAD');
  if (path === undefined || path === '' || head === undefined) return null;
  const ref = attributeOf(attributes, 'branch');
  return {
    path,
    branch: ref === undefined ? null : ref.startsWith(BRANCH_PREFIX) ? ref.slice(BRANCH_PREFIX.length) : ref,
    head,
    isMain,
    locked: attributeOf(attributes, 'locked') ?? null,
    prunable: attributeOf(attributes, 'prunable') ?? null,
  };
}

/** The rest of the line after the name; empty for a name alone. */
function attributeOf(attributes: readonly string[], name: string): string | undefined {
  const line = attributes.find((attribute) => attribute === name || attribute.startsWith(`${name} `));
  return line?.slice(name.length + 1);
}
