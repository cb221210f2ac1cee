import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const OWNER_ONLY = 0o700;
const MEMBERS = 'cgroup.procs';

/**
 * A control group (cgroup v2) for each terminal, where the system lets us make some below our own: a process cannot
 * leave it as it leaves a session, nor take its mark off as from an environment. Where it does not, all is as without.
 */
export class ControlGroups {
  readonly #find: () => string | undefined;
  #found: { readonly root: string | undefined } | undefined;
  readonly #moving = new Map<string, Promise<void>>();
  /** Still had members when their terminal went. */
  readonly #late = new Set<string>();

  /** @param find the folder for them, when one is needed first; undefined: there are none */
  constructor(find: () => string | undefined) {
    this.#find = find;
  }

  get available(): boolean {
    return this.#root !== undefined;
  }

  get #root(): string | undefined {
    this.#found ??= { root: this.#find() };
    return this.#found.root;
  }

  /**
   * Moves a program into the group of its terminal, right after its start. In the background: the system takes
   * milliseconds for it, in which nobody's output should wait.
   */
  add(surfaceId: string, pid: number): void {
    const root = this.#root;
    if (root === undefined) return;
    const moving = move(join(root, surfaceId), pid).finally(() => {
      if (this.#moving.get(surfaceId) === moving) this.#moving.delete(surfaceId);
    });
    this.#moving.set(surfaceId, moving);
  }

  /** Resolves when a move that is under way is done. */
  async settled(surfaceId: string): Promise<void> {
    await this.#moving.get(surfaceId);
  }

  /** Processes of a terminal, also those of groups that they have made themselves. */
  members(surfaceId: string): ReadonlySet<number> {
    if (this.#root === undefined) return new Set();
    return new Set(foldersIn(join(this.#root, surfaceId)).flatMap(membersOf));
  }

  /** A group that still has members goes later. */
  remove(surfaceId: string): void {
    if (this.#root === undefined) return;
    this.#late.add(surfaceId);
    for (const id of this.#late) if (removed(join(this.#root, id))) this.#late.delete(id);
  }

  /** All that are empty. */
  close(): void {
    if (this.#found?.root !== undefined) removed(this.#found.root);
  }
}

/**
 * Finds out whether groups can be made below our own, by making the one for all terminals of this process.
 * @param pid ours: a keeper that takes over in this process finds the groups of the one before it
 */
export function groupRoot(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const own = ownGroup(readFileSync('/proc/self/mountinfo', 'latin1'), readFileSync('/proc/self/cgroup', 'latin1'));
    if (own === undefined) return undefined;
    const root = join(own, `switchyard-${pid}`);
    mkdirSync(root, { recursive: true, mode: OWNER_ONLY });
    return root;
  } catch {
    // Not ours to make: a container without them, or a session that was not given its own.
    return undefined;
  }
}

/**
 * The folder of a process's own group.
 * @param mounts text of `mountinfo`. @param groups text of `cgroup` @returns undefined where there is no cgroup v2
 */
export function ownGroup(mounts: string, groups: string): string | undefined {
  const path = /^0::(.*)$/m.exec(groups)?.[1];
  const mount = mounts
    .split('\n')
    .filter((line) => line.includes(' - cgroup2 '))
    .map((line) => line.split(' '))
    .map(([, , , root = '', point = '']) => ({ root, point }))[0];
  if (path === undefined || mount === undefined) return undefined;
  if (mount.root === '/') return join(mount.point, path);
  return path.startsWith(mount.root) ? join(mount.point, path.slice(mount.root.length)) : undefined;
}

/** With the children that it has had meanwhile; later ones are born in the group. */
async function move(folder: string, leader: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
    for (let pids = [leader]; pids.length > 0; ) {
      for (const pid of pids) await writeFile(join(folder, MEMBERS), String(pid)).catch(whenGone);
      const members = new Set(membersOf(folder));
      const children = [...members].flatMap(childrenOf);
      pids = children.filter((pid) => !members.has(pid));
    }
  } catch {
    // A limit of the system is reached: it is found by its session and its mark.
  }
}

/** It has ended meanwhile. */
function whenGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ESRCH') throw error;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has ended, or this system does not list them
  }
}

function foldersIn(folder: string): string[] {
  try {
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...below.flatMap(({ name }) => foldersIn(join(folder, name)))];
  } catch {
    return []; // never made, or gone meanwhile
  }
}

function membersOf(folder: string): number[] {
  try {
    return readFileSync(join(folder, MEMBERS), 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** @returns whether it is gone, with all below it */
function removed(folder: string): boolean {
  try {
    for (const one of foldersIn(folder).reverse()) rmdirSync(one);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
