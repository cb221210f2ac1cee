import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { type ByteText, byteText } from '../domain/removal/byte-text.js';
import { encodeTarHeader, paddedSize, TAR_END, type TarEntry } from '../domain/removal/tar-header.js';
import { ChangedError, openForReading, piecesOf } from './content.js';
import { isMissing } from './walk.js';

const OWNER_ONLY_FILE = 0o600;
const PERMISSION_BITS = 0o7777;
const NS_PER_SECOND = 1_000_000_000n;

/** By this a file is known to be still what it was. */
export interface Signature {
  readonly source: Buffer;
  /** Device, inode, size, times: any change of content or mode changes one of them. */
  readonly mark: string;
}

/** @returns null when nothing is there */
export async function signatureOf(source: Buffer): Promise<Signature | null> {
  try {
    const stats = await lstat(source, { bigint: true });
    // A folder changes with every file in it, and holds nothing itself.
    const mark = stats.isDirectory()
      ? 'folder'
      : [stats.dev, stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    return { source, mark };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Writes a tar archive that any tar can read. */
export class ArchiveWriter {
  readonly #file: FileHandle;
  readonly #signatures: Signature[] = [];
  #bytes = 0;
  #files = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(await open(path, 'wx', OWNER_ONLY_FILE));
  }

  /**
   * Appends a file, folder or symbolic link with its mode and time.
   * @param name its path in the archive
   * @throws ChangedError when it changes meanwhile, and what the file system says when it cannot be read
   */
  async add(source: Buffer, name: ByteText): Promise<void> {
    const before = await signatureOf(source);
    if (before === null) throw new ChangedError();
    await this.#append(source, name);
    const after = await signatureOf(source);
    if (after?.mark !== before.mark) throw new ChangedError();
    this.#signatures.push(before);
  }

  /** Ends the archive; it is on the disk when this resolves. */
  async finish(): Promise<{ bytes: number; files: number; signatures: readonly Signature[] }> {
    await this.#write(TAR_END);
    await this.#file.sync();
    await this.#file.close();
    return { bytes: this.#bytes, files: this.#files, signatures: this.#signatures };
  }

  /** Lets go of an archive that will not be finished. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #append(source: Buffer, path: ByteText): Promise<void> {
    const stats = await lstat(source, { bigint: true });
    const about = {
      path,
      mode: Number(stats.mode) & PERMISSION_BITS,
      mtime: Number(stats.mtimeNs / NS_PER_SECOND),
      size: 0,
      target: '',
    };
    if (stats.isDirectory()) return this.#entry({ ...about, type: 'folder' });
    this.#files += 1;
    if (stats.isSymbolicLink()) {
      const target = byteText(await readlink(source, { encoding: 'buffer' }));
      return this.#entry({ ...about, type: 'link', target });
    }
    return this.#content(source, { ...about, type: 'file', size: Number(stats.size) });
  }

  async #content(source: Buffer, entry: TarEntry): Promise<void> {
    const file = await openForReading(source);
    try {
      await this.#entry(entry);
      for await (const piece of piecesOf(file, entry.size)) await this.#write(piece);
    } finally {
      await file.close();
    }
    await this.#write(Buffer.alloc(paddedSize(entry.size) - entry.size));
  }

  #entry(entry: TarEntry): Promise<void> {
    return this.#write(encodeTarHeader(entry));
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten;
    this.#bytes += bytes.length;
  }
}
