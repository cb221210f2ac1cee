import { lstat, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitBytes, gitChange, tryGitChange } from '../adapters/git-cli.js';
import { type ByteText, bytesOf, byteText, shown } from '../domain/removal/byte-text.js';
import { openForReading, piecesOf } from '../removal/content.js';
import { absolute, isMissing } from '../removal/walk.js';
import type { Holder, MergeFacts } from './merge.js';

/** A file that was being written is compared with what it was to become only up to this size. */
const PARTIAL_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Brings the files of a checkout back to what they were before git began to move it. A file is touched only when it can
 * be told that git wrote it: it is as it was to become, or the beginning of that, or missing.
 * @returns names of the files that are neither: somebody has written them since
 */
export async function takeBackCheckout(
  holder: Holder,
  { before, after }: Pick<MergeFacts, 'before' | 'after'>,
  operation: string,
  signal: AbortSignal,
): Promise<string[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'switchyard-merge-'));
  try {
    const old = await compare(holder, before, join(scratch, 'before'), operation, signal);
    const next = await compare(holder, after, join(scratch, 'after'), operation, signal);
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', before, after];
    const changed = pathsIn(byteText(await gitBytes(holder.path, args, { signal })));
    const restore: ByteText[] = [];
    const left: string[] = [];
    for (const path of changed) {
      if (await isAs(holder, old, path)) continue;
      const ours = (await isAs(holder, next, path)) || (await isMissingOrBegun(holder, path, after, next, signal));
      if (ours) restore.push(path);
      else left.push(shown(path));
    }
    await putBack(holder, old, restore, operation, signal);
    return left;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** How the files of a checkout compare with a commit. */
interface Comparison {
  readonly tracked: ReadonlySet<ByteText>;
  readonly different: ReadonlySet<ByteText>;
}

/** git compares, so that line ends and filters are treated as at a checkout. */
async function compare(
  holder: Holder,
  commit: string,
  index: string,
  operation: string,
  signal: AbortSignal,
): Promise<Comparison> {
  const env = { GIT_DIR: holder.gitDir, GIT_WORK_TREE: holder.path, GIT_INDEX_FILE: index };
  const change = { signal, operation, env };
  await gitChange(holder.path, ['read-tree', commit], change);
  // A fresh index has no times to go by: git reads each file. Its status says only that some differ, asked for next.
  await tryGitChange(holder.path, ['update-index', '-q', '--really-refresh'], change);
  const different = await gitBytes(holder.path, ['diff-files', '-z', '--name-only'], { signal, env });
  const tracked = await gitBytes(holder.path, ['ls-files', '-z'], { signal, env });
  return { tracked: new Set(pathsIn(byteText(tracked))), different: new Set(pathsIn(byteText(different))) };
}

async function isAs({ path: root }: Holder, { tracked, different }: Comparison, path: ByteText): Promise<boolean> {
  if (tracked.has(path)) return !different.has(path);
  return (await sizeAt(root, path)) === null;
}

async function isMissingOrBegun(
  { path: root }: Holder,
  path: ByteText,
  after: string,
  next: Comparison,
  signal: AbortSignal,
): Promise<boolean> {
  const size = await sizeAt(root, path);
  if (size === null) return true;
  if (!next.tracked.has(path) || size > PARTIAL_LIMIT_BYTES) return false;
  const whole = await gitBytes(root, ['cat-file', '--filters', `${after}:${shown(path)}`], {
    signal,
    outputLimitBytes: PARTIAL_LIMIT_BYTES,
  });
  const file = await openForReading(absolute(root, path));
  try {
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(file, size)) pieces.push(piece);
    return whole.subarray(0, size).equals(Buffer.concat(pieces));
  } finally {
    await file.close();
  }
}

async function putBack(
  holder: Holder,
  old: Comparison,
  paths: readonly ByteText[],
  operation: string,
  signal: AbortSignal,
): Promise<void> {
  for (const path of paths.filter((each) => !old.tracked.has(each))) await remove(holder.path, path);
  const existing = paths.filter((each) => old.tracked.has(each));
  if (existing.length === 0) return;
  await gitChange(holder.path, ['checkout-index', '--force', '-u', '-z', '--stdin'], {
    signal,
    operation,
    input: bytesOf(existing.map((path) => `${path}\0`).join('')),
  });
}

/** The file, and the folders that git made for it. */
async function remove(root: string, path: ByteText): Promise<void> {
  await rm(absolute(root, path), { force: true });
  const parts = path.split('/').slice(0, -1);
  for (; parts.length > 0; parts.pop()) {
    try {
      await rmdir(absolute(root, parts.join('/')));
    } catch {
      // It holds something else, and stays with all above it.
      return;
    }
  }
}

/** null when nothing is there. */
async function sizeAt(root: string, path: ByteText): Promise<number | null> {
  try {
    return (await lstat(absolute(root, path))).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const pathsIn = (output: ByteText): ByteText[] => output.split('\0').filter((path) => path !== '');
