import { Buffer } from 'node:buffer';
import type { ByteText } from './byte-text.js';

/** What tar (POSIX 1003.1, "ustar" with "pax" extensions) says of one file. */
export interface TarEntry {
  readonly path: ByteText;
  readonly type: 'file' | 'folder' | 'link';
  /** Permission bits. */
  readonly mode: number;
  /** Unix seconds. */
  readonly mtime: number;
  /** Bytes of content that follow; 0 for all but files. */
  readonly size: number;
  /** Where a symbolic link points; empty for the others. */
  readonly target: ByteText;
}

export const TAR_BLOCK = 512;
const TYPE_FLAGS = { file: '0', link: '2', folder: '5' } as const;
const EXTENSION_FLAG = 'x';
const NAME_BYTES = 100;
/** Eleven octal digits. */
const LARGEST_PLAIN_SIZE = 8 ** 11 - 1;

/** How many bytes content takes in an archive: whole blocks. */
export const paddedSize = (size: number): number => Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;

/** The blocks before the content of a file. What the plain header has no room for goes into an extension before it. */
export function encodeTarHeader(entry: TarEntry): Buffer {
  const extension = Buffer.concat([
    record('path', entry.path, needsExtension(entry.path)),
    record('linkpath', entry.target, needsExtension(entry.target)),
    record('size', String(entry.size), entry.size > LARGEST_PLAIN_SIZE),
  ]);
  if (extension.length === 0) return header(entry, TYPE_FLAGS[entry.type]);
  const about = { ...entry, path: 'extension', target: '', mode: 0o600, size: extension.length };
  const padding = Buffer.alloc(paddedSize(extension.length) - extension.length);
  return Buffer.concat([header(about, EXTENSION_FLAG), extension, padding, header(entry, TYPE_FLAGS[entry.type])]);
}

/** Two empty blocks end an archive. */
export const TAR_END: Buffer = Buffer.alloc(2 * TAR_BLOCK);

export type DecodedHeader =
  | { readonly kind: 'entry'; readonly entry: TarEntry }
  /** Its content belongs to the header after it: see {@link parseExtension}. */
  | { readonly kind: 'extension'; readonly size: number }
  | { readonly kind: 'end' };

/**
 * Reads one header block.
 * @param extended what an extension before it said
 * @throws when the block is damaged
 */
export function decodeTarHeader(block: Buffer, extended: ReadonlyMap<string, ByteText>): DecodedHeader {
  if (block.every((byte) => byte === 0)) return { kind: 'end' };
  if (octal(block, 148, 8) !== checksum(block)) throw new Error('the archive is damaged: a checksum does not match');
  const flag = String.fromCharCode(block[156] ?? 0);
  const size = octal(block, 124, 12);
  if (flag === EXTENSION_FLAG) return { kind: 'extension', size };
  const type = (['file', 'folder', 'link'] as const).find((name) => TYPE_FLAGS[name] === flag);
  if (type === undefined) throw new Error(`the archive holds an entry of an unknown kind: ${flag}`);
  return {
    kind: 'entry',
    entry: {
      path: extended.get('path') ?? text(block, 0, NAME_BYTES),
      type,
      mode: octal(block, 100, 8),
      mtime: octal(block, 136, 12),
      size: Number(extended.get('size') ?? size),
      target: extended.get('linkpath') ?? text(block, 157, NAME_BYTES),
    },
  };
}

/** Reads the records of an extension: each is `LENGTH KEY=VALUE` and a newline, the length counting all of it. */
export function parseExtension(content: Buffer): Map<string, ByteText> {
  const found = new Map<string, ByteText>();
  const all = content.toString('latin1');
  for (let at = 0; at < all.length; ) {
    const length = Number.parseInt(all.slice(at), 10);
    if (!(length > 0)) throw new Error('the archive is damaged: an extension has no length');
    const line = all.slice(at, at + length - 1);
    const key = line.slice(line.indexOf(' ') + 1, line.indexOf('='));
    found.set(key, line.slice(line.indexOf('=') + 1));
    at += length;
  }
  return found;
}

/** Other readers take names in a plain header for ASCII. */
const needsExtension = (name: ByteText): boolean => name.length > NAME_BYTES || /[^\x20-\x7e]/.test(name);

function record(key: string, value: ByteText, needed: boolean): Buffer {
  if (!needed) return Buffer.alloc(0);
  const rest = ` ${key}=${value}\n`;
  // The length counts its own digits.
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.from(`${length}${rest}`, 'latin1');
}

function header(entry: TarEntry, flag: string): Buffer {
  const block = Buffer.alloc(TAR_BLOCK);
  block.write(entry.path.slice(0, NAME_BYTES), 0, 'latin1');
  writeOctal(block, entry.mode, 100, 8);
  writeOctal(block, 0, 108, 8);
  writeOctal(block, 0, 116, 8);
  writeOctal(block, Math.min(entry.size, LARGEST_PLAIN_SIZE), 124, 12);
  writeOctal(block, Math.max(0, Math.floor(entry.mtime)), 136, 12);
  block.write(flag, 156, 'latin1');
  block.write(entry.target.slice(0, NAME_BYTES), 157, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** The sum of all bytes, its own field counted as blanks. */
function checksum(block: Buffer): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function writeOctal(block: Buffer, value: number, offset: number, width: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, offset, 'latin1');
}

function octal(block: Buffer, offset: number, width: number): number {
  return Number.parseInt(text(block, offset, width).trim() || '0', 8);
}

function text(block: Buffer, offset: number, width: number): ByteText {
  const field = block.toString('latin1', offset, offset + width);
  const end = field.indexOf('\0');
  return end === -1 ? field : field.slice(0, end);
}
