import { createHash } from 'node:crypto';
import { gitBytes } from '../adapters/git-cli.js';
import { type ByteText, byteText } from '../domain/removal/byte-text.js';
import { classOfIgnored, isInstalledFolder } from '../domain/removal/ignored-rule.js';
import { type FileFact, REBUILDABLE_LIMIT, type Rebuildable } from '../domain/removal/inventory.js';
import {
  type Change,
  INDEX_ARGS,
  type IndexEntry,
  isSubmodule,
  parseIndex,
  parseStatus,
  STATUS_ARGS,
} from '../domain/removal/status-entries.js';
import { blobIdOf } from './content.js';
import type { Target } from './target.js';
import { absolute, type Found, look, walk } from './walk.js';

/** Twelve times the fifteen seconds of a look: a status of a large worktree on a cold disk. */
const STATUS_TIMEOUT_MS = 180_000;
/** Half a million names. */
const STATUS_LIMIT_BYTES = 64 * 1024 * 1024;
/** A copy in the main checkout is looked for only where comparing costs little. */
const COMPARE_LIMIT_BYTES = 16 * 1024 * 1024;

/** What is on the disk of a worktree and not, or not so, in a commit. */
export interface SurveyedFiles {
  readonly modified: FileFact[];
  readonly staged: FileFact[];
  readonly conflicted: FileFact[];
  readonly hiddenChanges: FileFact[];
  readonly untracked: FileFact[];
  readonly ignored: FileFact[];
  readonly ignoredCopies: FileFact[];
  readonly rebuildable: Rebuildable & { readonly found: FileFact[] };
  readonly nestedRepositories: FileFact[];
  /** Folders in what is not tracked: an empty one may matter to a repository. */
  readonly folders: ByteText[];
  readonly submodules: ByteText[];
  /** Tracked paths that are not on the disk, those that git was told not to look at among them. */
  readonly deleted: ByteText[];
}

/** @throws when a folder cannot be read: nothing is called safe that was not looked at */
export async function surveyFiles(
  target: Target,
  index: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<SurveyedFiles> {
  const options = {
    signal,
    timeoutMs: STATUS_TIMEOUT_MS,
    outputLimitBytes: STATUS_LIMIT_BYTES,
    // Named, not found: without its `.git` file a folder would lead to the repository around it.
    env: { GIT_DIR: target.gitDir, GIT_WORK_TREE: target.path },
  };
  const status = parseStatus(byteText(await gitBytes(target.path, STATUS_ARGS, options)));
  const { changes } = status;
  const plain = changes.filter(({ submodule }) => submodule === null);
  const ordinary = plain.filter(({ conflicted }) => !conflicted);
  const { folders: untrackedFolders, ...untracked } = await surveyUntracked(target, status.untracked);
  const { folders: ignoredFolders, ...ignored } = await surveyIgnored(target, status.ignored);
  const hidden = await surveyHidden(target, index);
  return {
    modified: await factsOf(
      target,
      ordinary.filter(({ unstaged }) => unstaged),
    ),
    staged: await factsOf(
      target,
      ordinary.filter(({ staged }) => staged),
    ),
    conflicted: await factsOf(
      target,
      plain.filter(({ conflicted }) => conflicted),
    ),
    hiddenChanges: hidden.changes,
    ...untracked,
    ...ignored,
    folders: [...untrackedFolders, ...ignoredFolders],
    submodules: index.filter(isSubmodule).map(({ path }) => path),
    deleted: [...plain.filter(({ missing }) => missing).map(({ path }) => path), ...hidden.deleted],
  };
}

/** The index of a worktree, whether its folder is there or not. */
export async function readIndex(target: Target, signal: AbortSignal): Promise<IndexEntry[]> {
  const output = await gitBytes(target.commonDir, INDEX_ARGS, {
    signal,
    timeoutMs: STATUS_TIMEOUT_MS,
    outputLimitBytes: STATUS_LIMIT_BYTES,
    env: { GIT_DIR: target.gitDir },
  });
  return parseIndex(byteText(output));
}

/** A mark of an index by which it is known again. */
export function indexMark(index: readonly IndexEntry[]): string {
  const hash = createHash('sha256');
  for (const { path, mode, id, stage } of index) hash.update(`${mode} ${id} ${stage} ${path}\0`);
  return hash.digest('hex');
}

async function factsOf(target: Target, changes: readonly Change[]): Promise<FileFact[]> {
  const facts: FileFact[] = [];
  for (const { path } of changes) facts.push({ path, bytes: (await look(target.path, path))?.bytes ?? 0 });
  return facts;
}

/** Files that git was told not to look at, where they differ from the index. Its status says nothing of them. */
async function surveyHidden(target: Target, index: readonly IndexEntry[]) {
  const changes: FileFact[] = [];
  const deleted: ByteText[] = [];
  for (const entry of index.filter(({ hidden }) => hidden)) {
    const { path, id } = entry;
    const present = await look(target.path, path);
    if (present?.type === 'folder' && isSubmodule(entry)) continue;
    // Also every file outside a sparse checkout.
    if (present === undefined || present.type === 'folder') {
      deleted.push(path);
      continue;
    }
    const onDisk = await blobIdOf(absolute(target.path, path), id);
    if (onDisk !== null && onDisk !== id) changes.push({ path, bytes: present.bytes });
  }
  return { changes, deleted };
}

/** git names a repository inside the worktree as a folder, and does not look into it. */
async function surveyUntracked(target: Target, paths: readonly ByteText[]) {
  const untracked = new Kept();
  const nested = new Kept();
  for (const path of paths) {
    if (path.endsWith('/')) await nested.addFolder(target, path);
    else untracked.add(await look(target.path, path));
  }
  return { untracked: untracked.files, nestedRepositories: nested.files, folders: nested.folders };
}

async function surveyIgnored(target: Target, paths: readonly ByteText[]) {
  const kept = new Kept();
  const made = new Made();
  for (const path of paths) {
    if (path.endsWith('/')) {
      await sortFolder(target, path, kept, made);
      continue;
    }
    const found = await look(target.path, path);
    if (classOfIgnored(path) === 'kept') kept.add(found);
    else if (found !== undefined) made.add(found, path);
  }
  const copies = new Set<FileFact>();
  for (const file of kept.files) if (await isInMainCheckout(target, file)) copies.add(file);
  return {
    ignored: kept.files.filter((file) => !copies.has(file)),
    ignoredCopies: [...copies],
    rebuildable: made.result(),
    folders: kept.folders,
  };
}

async function sortFolder(target: Target, folder: ByteText, kept: Kept, made: Made): Promise<void> {
  const rebuilt = classOfIgnored(folder) === 'rebuildable';
  if (rebuilt) made.place(folder);
  for await (const found of walk(target.path, folder.slice(0, -1))) {
    if (classOfIgnored(found.type === 'folder' ? `${found.path}/` : found.path) === 'kept') kept.add(found);
    else made.add(found, rebuilt ? null : found.path);
    // In a folder of installed packages nothing is kept: there is no need to see all of it.
    if (made.isFull && isInstalledFolder(folder)) break;
  }
}

/** Collects what tools make again, as much of it as can matter. */
class Made {
  readonly #places: ByteText[] = [];
  readonly #found: FileFact[] = [];
  #files = 0;
  #bytes = 0;

  /** Beyond what would be archived, and enough to say "over". */
  get isFull(): boolean {
    return this.#files > REBUILDABLE_LIMIT.files;
  }

  place(path: ByteText): void {
    this.#places.push(path);
  }

  add(found: Found, place: ByteText | null): void {
    if (found.type === 'folder' || found.type === 'special') return;
    if (place !== null && this.#places.length <= REBUILDABLE_LIMIT.files) this.place(place);
    this.#files += 1;
    this.#bytes += found.bytes;
    if (this.#found.length <= REBUILDABLE_LIMIT.files) this.#found.push({ path: found.path, bytes: found.bytes });
  }

  result(): SurveyedFiles['rebuildable'] {
    return { places: this.#places, files: this.#files, bytes: this.#bytes, more: this.isFull, found: this.#found };
  }
}

/** Collects what counts as work. Sockets and pipes hold nothing that could be kept. */
class Kept {
  readonly files: FileFact[] = [];
  readonly folders: ByteText[] = [];

  add(found: Found | undefined): void {
    if (found === undefined || found.type === 'special') return;
    if (found.type === 'folder') this.folders.push(found.path);
    else this.files.push({ path: found.path, bytes: found.bytes });
  }

  /** @param folder ends with `/` */
  async addFolder({ path: root }: Target, folder: ByteText): Promise<void> {
    this.folders.push(folder.slice(0, -1));
    for await (const found of walk(root, folder.slice(0, -1))) this.add(found);
  }
}

/** What a set-up has copied from there (`.env`) is not lost with the copy. */
async function isInMainCheckout({ path: root, mainPath }: Target, { path, bytes }: FileFact): Promise<boolean> {
  if (mainPath === null || bytes > COMPARE_LIMIT_BYTES) return false;
  const there = await look(mainPath, path);
  const here = await look(root, path);
  if (there === undefined || here === undefined || there.type !== here.type || there.bytes !== here.bytes) return false;
  // Any hash serves for comparing; the one of git is at hand.
  const [one, other] = await Promise.all([blobIdOf(absolute(root, path), ''), blobIdOf(absolute(mainPath, path), '')]);
  return one !== null && one === other;
}
