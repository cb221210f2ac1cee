import { constants } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, rm, symlink, utimes } from 'node:fs/promises';
import { type ByteText, bytesOf } from '../domain/removal/byte-text.js';
import { decodeTarHeader, paddedSize, parseExtension, TAR_BLOCK, type TarEntry } from '../domain/removal/tar-header.js';
import { absolute, isMissing } from './walk.js';

const PIECE_BYTES = 1024 * 1024;
const NOTHING: ReadonlyMap<string, ByteText> = new Map();

/** Where an entry of an archive goes; null: it is left out. */
export type Placing = (path: ByteText) => { readonly root: string; readonly path: ByteText } | null;

/**
 * Takes files out of an archive, over what is there. Never leaves the folders that `placing` names: a path that would
 * lead out of one, or through a symbolic link, is an error.
 * @returns how many files were written
 */
export async function extractArchive(archive: string, placing: Placing): Promise<number> {
  const file = await open(archive, 'r');
  try {
    let files = 0;
    for await (const { entry, at } of entriesOf(file)) {
      const place = placing(entry.path);
      if (place === null) continue;
      await extract(file, at, entry, place.root, place.path);
      if (entry.type !== 'folder') files += 1;
    }
    return files;
  } finally {
    await file.close();
  }
}

async function* entriesOf(file: FileHandle): AsyncGenerator<{ entry: TarEntry; at: number }> {
  let extended = NOTHING;
  for (let at = 0; ; ) {
    const header = decodeTarHeader(await readExactly(file, at, TAR_BLOCK), extended);
    at += TAR_BLOCK;
    if (header.kind === 'end') return;
    if (header.kind === 'extension') {
      extended = parseExtension(await readExactly(file, at, header.size));
      at += paddedSize(header.size);
      continue;
    }
    extended = NOTHING;
    yield { entry: header.entry, at };
    at += paddedSize(header.entry.size);
  }
}

async function extract(file: FileHandle, at: number, entry: TarEntry, root: string, path: ByteText): Promise<void> {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Error('the archive names a path that leads elsewhere');
  }
  await makeFolders(root, parts.slice(0, -1));
  const target = absolute(root, path);
  if (entry.type === 'folder') {
    await makeFolders(root, parts);
    return;
  }
  await rm(target, { force: true, recursive: true });
  if (entry.type === 'link') {
    await symlink(bytesOf(entry.target), target);
    return;
  }
  await writeContent(file, at, entry.size, target);
  await chmod(target, entry.mode);
  await utimes(target, entry.mtime, entry.mtime);
}

/** Makes what is missing. What is in the way and no folder gives way: it was none when the archive was written. */
async function makeFolders(root: string, parts: readonly ByteText[]): Promise<void> {
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = absolute(root, parts.slice(0, depth).join('/'));
    if (await isFolder(folder)) continue;
    await rm(folder, { force: true });
    await mkdir(folder);
  }
}

async function isFolder(path: Buffer): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function writeContent(file: FileHandle, at: number, size: number, target: Buffer): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const written = await open(target, flags, 0o600);
  try {
    for (let done = 0; done < size; ) {
      const piece = await readExactly(file, at + done, Math.min(PIECE_BYTES, size - done));
      await written.writeFile(piece);
      done += piece.length;
    }
  } finally {
    await written.close();
  }
}

async function readExactly(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, at + done);
    if (bytesRead === 0) throw new Error('the archive is damaged: it ends too early');
    done += bytesRead;
  }
  return buffer;
}
