/** A process whose parents are not known to the end by then is nobody's: more shells in shells are a joke. */
const MAX_DEPTH = 256;

/**
 * Whether a process was started by another, or by one that this has started, and so on.
 *
 * @param parentOf the parent of a process; undefined when there is no such process (any more)
 */
export function descendsFrom(pid: number, ancestor: number, parentOf: (pid: number) => number | undefined): boolean {
  let parent = parentOf(pid);
  for (let depth = 0; depth < MAX_DEPTH && parent !== undefined && parent > 0; depth++) {
    if (parent === ancestor) return true;
    parent = parentOf(parent);
  }
  return false;
}
