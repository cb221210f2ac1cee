import { expect, it } from 'vitest';
import { decodeTarHeader, encodeTarHeader, parseExtension, TAR_BLOCK, type TarEntry } from './tar-header.js';

const plain: TarEntry = { path: 'files/a', type: 'file', mode: 0o640, mtime: 1_700_000_000, size: 5, target: '' };

function decode(blocks: Buffer): TarEntry {
  const first = decodeTarHeader(blocks.subarray(0, TAR_BLOCK), new Map());
  if (first.kind === 'entry') return first.entry;
  if (first.kind === 'end') throw new Error('nothing there');
  const extension = parseExtension(blocks.subarray(TAR_BLOCK, TAR_BLOCK + first.size));
  const last = decodeTarHeader(blocks.subarray(-TAR_BLOCK), extension);
  if (last.kind !== 'entry') throw new Error('no entry after an extension');
  return last.entry;
}

it.each<[string, Partial<TarEntry>]>([
  ['a plain file', {}],
  ['a name of exactly 100 bytes', { path: 'x'.repeat(100) }],
  ['a long name', { path: `files/${'deep/'.repeat(60)}end` }],
  ['a name that is no UTF-8', { path: 'files/\xff\xfe\n"' }],
  ['a symbolic link with a long target', { type: 'link', size: 0, target: `../${'y'.repeat(200)}` }],
  ['a folder', { type: 'folder', size: 0, mode: 0o755 }],
  ['a file beyond what octal digits hold', { size: 9 * 1024 ** 3 }],
])('what is written is read: %s', (_, more) => {
  const entry = { ...plain, ...more };
  expect(decode(encodeTarHeader(entry))).toEqual(entry);
});

it('says of a damaged header that it is one', () => {
  const block = encodeTarHeader(plain);
  block[3] = 0x58;
  expect(() => decodeTarHeader(block, new Map())).toThrow('damaged');
});

it('ends at an empty block', () => {
  expect(decodeTarHeader(Buffer.alloc(TAR_BLOCK), new Map())).toEqual({ kind: 'end' });
});
