import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether file systems can be mounted here: it takes root, and a system that lets root do so. */
export function canMount(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  return mounted;
}

/** A real file system of a few MiB at a path. Unmount it in the end. */
export class SmallDisk {
  readonly path: string;
  readonly #ballast: string;
  #layers = 0;

  /** @param size as mount spells it: `6m`. @throws when it can not be mounted */
  constructor(path: string, size: string) {
    this.path = path;
    this.#ballast = join(path, 'ballast');
    mkdirSync(path, { recursive: true });
    this.#mount(['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', path]);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Takes all room there is. Safe to repeat. */
  fill(): void {
    for (let take = this.freeBytes; take > 0; take = this.freeBytes) {
      try {
        writeFileSync(this.#ballast, Buffer.alloc(take), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  }

  /** Gives back what {@link fill} took. */
  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** From now on nothing can be opened for writing, as after a fault of the disk; what is open stays so. */
  makeReadOnly(): void {
    this.#mount(['--bind', this.path, this.path]);
    const remounted = spawnSync('mount', ['-o', 'remount,bind,ro', this.path], { encoding: 'utf8' });
    if (remounted.status !== 0) throw new Error(`cannot make ${this.path} read-only: ${remounted.stderr}`);
  }

  /** Safe to repeat. */
  makeWritable(): void {
    if (this.#layers > 1) this.#unmount();
  }

  remove(): void {
    while (this.#layers > 0) this.#unmount();
  }

  #mount(args: readonly string[]): void {
    const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
    this.#layers++;
  }

  /** Lazily: a process that is ending may still have a file open. */
  #unmount(): void {
    const { status, stderr } = spawnSync('umount', ['-l', this.path], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`umount ${this.path}: ${stderr}`);
    this.#layers--;
  }
}
