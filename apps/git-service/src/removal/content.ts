import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { isMissing } from './walk.js';

/** Files are read in pieces of this size. */
const PIECE_BYTES = 1024 * 1024;
const SHA256_HEX_LENGTH = 64;

/** Opens a file itself, never what a symbolic link points to. */
export const openForReading = (path: Buffer): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW);

/** The content of a file in pieces, exactly `bytes` of it. @throws when it is shorter by now */
export async function* piecesOf(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new ChangedError();
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** A file is not what it was a moment ago. */
export class ChangedError extends Error {
  constructor() {
    super('a file changed while it was read');
    this.name = 'ChangedError';
  }
}

/**
 * The id git would give to exactly these bytes, without any filter of the repository.
 * @param like an id of the repository, whose length tells its kind
 * @returns null when no file or link is there
 */
export async function blobIdOf(path: Buffer, like: string): Promise<string | null> {
  const hash = createHash(like.length === SHA256_HEX_LENGTH ? 'sha256' : 'sha1');
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return hashed(hash, await readlink(path, { encoding: 'buffer' }));
    if (!stats.isFile()) return null;
    const file = await openForReading(path);
    try {
      const { size } = await file.stat();
      hash.update(`blob ${size}\0`);
      for await (const piece of piecesOf(file, size)) hash.update(piece);
    } finally {
      await file.close();
    }
    return hash.digest('hex');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function hashed(hash: Hash, content: Buffer): string {
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}
