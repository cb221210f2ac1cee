import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { type HandoffRecord, parseRecord, recordLines } from './record.js';

const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Writes the record into a file without a name: it holds typed input, so it goes when the last of both keepers lets go.
 * @param path of the file, for a moment
 * @returns its descriptor
 */
export function writeRecordFile(path: string, record: HandoffRecord): number {
  const fd = openSync(path, 'wx+', 0o600);
  try {
    unlinkSync(path);
    for (const line of recordLines(record)) writeAll(fd, Buffer.from(line));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** @throws KeeperFault as {@link parseRecord} */
export function readRecordFile(fd: number): HandoffRecord {
  return parseRecord(linesOf(fd));
}

function* linesOf(fd: number): Generator<string> {
  const { size } = fstatSync(fd);
  let held = Buffer.alloc(0);
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
    const bytes = readSync(fd, piece, 0, piece.length, at);
    if (bytes === 0) break;
    at += bytes;
    held = Buffer.concat([held, piece.subarray(0, bytes)]);
    for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE)) {
      yield held.toString('utf8', 0, end);
      held = held.subarray(end + 1);
    }
  }
}

function writeAll(fd: number, data: Buffer): void {
  for (let at = 0; at < data.length; ) at += writeSync(fd, data, at);
}
