import { rm, statfs } from 'node:fs/promises';
import { fail } from '@switchyard/protocol';
import { gitChange } from '../adapters/git-cli.js';
import { type ByteText, bytesOf, shown } from '../domain/removal/byte-text.js';
import { type Item, isArchivable } from '../domain/removal/inventory.js';
import { type Manifest, recoveryRef } from '../domain/removal/manifest.js';
import type { IndexEntry } from '../domain/removal/status-entries.js';
import { ArchiveWriter, type Signature, signatureOf } from './archive-writer.js';
import type { RecoveredFolder } from './recovered-folder.js';
import type { FullSurvey } from './survey.js';
import type { Target } from './target.js';
import { absolute, type Found, look, walk } from './walk.js';

/** What may be archived of one worktree: work is text and pictures, not disk images. */
export const ARCHIVE_LIMIT = { files: 200_000, bytes: 4 * 1024 * 1024 * 1024 } as const;
/** Room that the disk of the archive must keep for everything else. */
const KEEP_FREE_BYTES = 256 * 1024 * 1024;
/** Nobody's name: what Switchyard commits is no work of the user's. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Switchyard',
  GIT_AUTHOR_EMAIL: 'switchyard@localhost',
  GIT_COMMITTER_NAME: 'Switchyard',
  GIT_COMMITTER_EMAIL: 'switchyard@localhost',
};

export interface SaveOptions {
  /** Of what is saved: see {@link recoveryId}. */
  readonly id: string;
  /** Id of the operation it belongs to. */
  readonly operation: string;
  readonly signal: AbortSignal;
  readonly reason: Manifest['reason'];
  /** Files of the worktree, too; else only what git keeps of it. */
  readonly withFiles: boolean;
  readonly items: readonly Item[];
}

export interface Saved {
  readonly manifest: Manifest;
  readonly signatures: readonly Signature[];
}

/** One file for the archive. */
interface Source {
  readonly root: string;
  readonly path: ByteText;
  readonly name: ByteText;
  readonly bytes: number;
}

/** Where files of the worktree lie in an archive, and where private files of git. */
export const FILES_PREFIX = 'files/';
export const PRIVATE_PREFIX = 'git-dir/';

/**
 * Saves everything that would go with a worktree: commits, trees and blobs under a reference; files in an archive. Until
 * `publish` there is no reference and nothing is listed.
 *
 * @throws `archive_impossible` before anything is written when it is too much, or does not fit on the disk
 * @throws ChangedError when a file changes meanwhile
 */
export async function save(
  recovered: RecoveredFolder,
  target: Target,
  survey: FullSurvey,
  options: SaveOptions,
): Promise<Saved> {
  const sources = await sourcesOf(target, survey, options.withFiles);
  await checkRoom(recovered, sources);
  const { id } = options;
  const path = await recovered.begin(id);
  const commit = await commitOf(target, survey, path, options);
  const writer = await ArchiveWriter.create(path);
  try {
    for (const { root, path: file, name } of sources) {
      if (options.signal.aborted) fail('cancelled', 'The caller withdrew the request.');
      await writer.add(absolute(root, file), name);
    }
  } catch (error) {
    await writer.close();
    await recovered.drop(id);
    throw error;
  }
  const { bytes, files, signatures } = await writer.finish();
  const manifest: Manifest = {
    version: 1,
    id,
    createdAt: Date.now(),
    repo: target.commonDir,
    path: target.path,
    branch: target.branch,
    head: target.head,
    ref: commit === null ? null : recoveryRef(target.branch, id),
    commit,
    reason: options.reason,
    archive: { bytes, files },
    items: options.items.map(({ kind, count }) => ({ kind, count })),
    deleted: survey.files.deleted,
    leftOut: leftOut(survey, options.withFiles),
  };
  await recovered.complete(manifest);
  return { manifest, signatures };
}

/** Makes what was saved reachable for git. */
export async function publish(target: Target, manifest: Manifest, operation: string, signal: AbortSignal) {
  if (manifest.ref === null || manifest.commit === null) return;
  await gitChange(target.commonDir, ['update-ref', manifest.ref, manifest.commit], {
    signal,
    operation,
    env: { GIT_DIR: target.commonDir },
  });
}

/** Takes back what was saved: it is still where it was. */
export async function unsave(
  recovered: RecoveredFolder,
  { repo, ref, id }: Pick<Manifest, 'repo' | 'ref' | 'id'>,
  operation: string,
  signal: AbortSignal,
): Promise<void> {
  if (ref !== null) {
    await gitChange(repo, ['update-ref', '-d', ref], { signal, operation, env: { GIT_DIR: repo } });
  }
  await recovered.drop(id);
}

/** Whether every file is still what was archived. */
export async function isUnchanged(signatures: readonly Signature[]): Promise<boolean> {
  for (const { source, mark } of signatures) if ((await signatureOf(source))?.mark !== mark) return false;
  return true;
}

/** How much would be archived, without doing it. */
export async function sizeOf(target: Target, survey: FullSurvey): Promise<{ files: number; bytes: number }> {
  const sources = await sourcesOf(target, survey, true);
  return { files: sources.length, bytes: sources.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function sourcesOf(target: Target, survey: FullSurvey, withFiles: boolean): Promise<Source[]> {
  const sources = new Map<ByteText, Source>();
  const add = (root: string, prefix: string, { path, bytes, type }: Found) => {
    if (type === 'special' || path.endsWith('.lock')) return;
    sources.set(prefix + path, { root, path, name: prefix + path, bytes });
  };
  for await (const found of walk(target.gitDir, '')) add(target.gitDir, PRIVATE_PREFIX, found);
  if (!withFiles || !target.present) return [...sources.values()];
  const { files } = survey;
  const paths = [
    ...files.folders,
    ...[files.modified, files.staged, files.conflicted, files.hiddenChanges].flat().map(({ path }) => path),
    ...[files.untracked, files.ignored, files.ignoredCopies, files.nestedRepositories].flat().map(({ path }) => path),
    ...(isArchivable(files.rebuildable) ? files.rebuildable.found.map(({ path }) => path) : []),
  ];
  for (const path of paths) {
    const found = await look(target.path, path);
    // A deleted file is known from the manifest.
    if (found !== undefined) add(target.path, FILES_PREFIX, found);
  }
  for (const path of files.submodules) {
    if ((await look(target.path, path))?.type !== 'folder') continue;
    for await (const found of walk(target.path, path)) add(target.path, FILES_PREFIX, found);
  }
  return [...sources.values()];
}

async function checkRoom(recovered: RecoveredFolder, sources: readonly Source[]): Promise<void> {
  const files = sources.length;
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
  if (files > ARCHIVE_LIMIT.files || bytes > ARCHIVE_LIMIT.bytes) {
    const largest = [...sources].sort((a, b) => b.bytes - a.bytes).slice(0, 10);
    fail('archive_impossible', 'There is more in the worktree than is archived: move some of it away first.', {
      files,
      bytes,
      limit: ARCHIVE_LIMIT,
      largest: largest.map(({ path, bytes: size }) => ({ path: shown(path), bytes: size })),
    });
  }
  const disk = await freeBytes(recovered.root);
  if (disk < bytes + KEEP_FREE_BYTES) {
    fail('archive_impossible', 'The disk has no room for an archive of what would be lost.', { bytes, free: disk });
  }
}

/** Of the disk that holds a folder, which may not exist yet. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || folder === '/') throw error;
    return freeBytes(folder.slice(0, folder.lastIndexOf('/')) || '/');
  }
}

/**
 * One commit that reaches everything that git would forget: lost commits and the stash are its parents, its tree has
 * what the index holds beyond the HEAD.
 * @returns null when there is nothing to hold
 */
async function commitOf(
  target: Target,
  survey: FullSurvey,
  archive: string,
  { id, operation, signal }: SaveOptions,
): Promise<string | null> {
  const lost = [...survey.unreferenced, ...survey.past, ...survey.stash.map(({ commit }) => commit)];
  const staged = survey.staged.length + survey.conflicted.length > 0 ? survey.index : [];
  if (lost.length === 0 && staged.length === 0 && survey.looseObjects.length === 0) return null;
  const head = target.head === null ? [] : [target.head];
  const change = { operation, signal, env: { GIT_DIR: target.commonDir, ...IDENTITY } };
  const trees = [
    ...(await indexTrees(target, staged, `${archive}.index`, change)),
    ...survey.looseObjects.map(({ id: object, type }) =>
      type === 'tree' ? `040000 tree ${object}\t${object}` : `100644 blob ${object}\t${object}`,
    ),
  ];
  const unique = [...new Set(trees)];
  const tree = await gitChange(target.commonDir, ['mktree', '-z', '--missing'], {
    ...change,
    input: unique.map((line) => `${line}\0`).join(''),
  });
  const parents = [...new Set([...head, ...lost])].flatMap((commit) => ['-p', commit]);
  const message = `What ${target.path} held beyond its branch\n\nSaved by Switchyard as ${id}.\n`;
  return (await gitChange(target.commonDir, ['commit-tree', tree.trim(), ...parents, '-m', message], change)).trim();
}

/** `index` for what is staged, `conflict-1` to `-3` for the sides of conflicts. */
const STAGE_FOLDERS = ['index', 'conflict-1-base', 'conflict-2-ours', 'conflict-3-theirs'];

async function indexTrees(
  target: Target,
  index: readonly IndexEntry[],
  scratch: string,
  change: { operation: string; signal: AbortSignal; env: Readonly<Record<string, string>> },
): Promise<string[]> {
  const trees: string[] = [];
  for (const [stage, name] of STAGE_FOLDERS.entries()) {
    const entries = index.filter((entry) => entry.stage === stage);
    if (entries.length === 0) continue;
    const lines = entries.map(({ mode, id: object, path }) => `${mode} ${object}\t${path}\0`);
    // An index of its own: that of the worktree is not touched.
    const options = { ...change, env: { ...change.env, GIT_INDEX_FILE: scratch } };
    await gitChange(target.commonDir, ['update-index', '-z', '--index-info'], {
      ...options,
      input: bytesOf(lines.join('')),
    });
    const tree = (await gitChange(target.commonDir, ['write-tree', '--missing-ok'], options)).trim();
    await rm(scratch, { force: true });
    trees.push(`040000 tree ${tree}\t${name}`);
  }
  return trees;
}

function leftOut({ files: { rebuildable } }: FullSurvey, withFiles: boolean): string | null {
  if (rebuildable.files === 0) return null;
  if (withFiles && isArchivable(rebuildable)) return null;
  const { files, more, bytes } = rebuildable;
  return `${more ? 'over ' : ''}${files} ignored files that tools make again (${bytes} bytes)`;
}
