/** What git made of two histories, without touching any worktree. */
export interface TreeMerge {
  /** The merged tree; with conflicts it has their marks in it and is of no use. */
  readonly tree: string;
  readonly conflicts: readonly string[];
  /** What git says about them, a sentence each. */
  readonly messages: readonly string[];
}

export const MERGE_TREE_ARGS: readonly string[] = ['merge-tree', '--write-tree', '-z', '--name-only', '--messages'];

/**
 * Reads the output of git with {@link MERGE_TREE_ARGS}: the tree, the names of files in conflict, an empty name, then
 * messages: each a count of paths, the paths, its kind, and a sentence.
 */
export function parseMergeTree(output: string): TreeMerge {
  const [tree = '', ...rest] = output.split('\0');
  const end = rest.indexOf('');
  const conflicts = end === -1 ? [] : rest.slice(0, end);
  return { tree, conflicts: [...new Set(conflicts)], messages: end === -1 ? [] : messagesIn(rest.slice(end + 1)) };
}

/** Kinds that say what went well. */
const INFORMATIVE = 'Auto-merging';

function messagesIn(fields: readonly string[]): string[] {
  const messages: string[] = [];
  for (let at = 0; at < fields.length; ) {
    const paths = Number(fields[at]);
    if (fields[at] === '' || !Number.isInteger(paths)) break;
    const [kind = '', text = ''] = fields.slice(at + 1 + paths, at + 3 + paths);
    if (kind !== INFORMATIVE) messages.push(text.trim());
    at += 3 + paths;
  }
  return messages;
}
