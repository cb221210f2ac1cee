import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SavedVoice } from '@switchyard/agents';
import type { SavedSignals } from '../signal-reader.js';

/** Rises when older checkpoints can no longer be painted rightly; those are then ignored and the log is replayed. */
const VERSION = 1;
const FILE = 'screen.checkpoint';
const EARLIER_FILE = 'screen-earlier.checkpoint';
/** What a terminal showed may be secret. */
const FILE_MODE = 0o600;
/** A header has a title and a path, both bounded; the paint begins right after its line end. */
const MAX_HEADER_BYTES = 32 * 1024;

/** The state of a screen after a number of bytes: with it a restart replays only what came later. */
export interface CheckpointHeader {
  readonly version: number;
  readonly surface_id: string;
  /** Everything before it is on the painted screen. */
  readonly offset: number;
  readonly rev: number;
  readonly cols: number;
  readonly rows: number;
  readonly title: string | null;
  readonly cwd: string | null;
  /** Length of what the programs have said, as JSON between header and paint; absent: none. */
  readonly voice_bytes?: number;
  /** Length of the paint, so that a file cut short is recognised. */
  readonly bytes: number;
}

export type CheckpointFacts = Omit<CheckpointHeader, 'version' | 'bytes' | 'voice_bytes'>;

/** What programs have said; `signals` is absent in a checkpoint of an older version. */
export interface SavedSpeech extends SavedVoice {
  readonly signals?: SavedSignals;
}

export interface Checkpoint {
  readonly header: CheckpointHeader;
  /** What {@link Screen.paint} gave: written to a fresh screen it brings back text, cursor and modes. */
  readonly paint: Buffer;
  /** What programs have said; undefined in a checkpoint of an older version. */
  readonly voice: SavedSpeech | undefined;
}

/**
 * Puts a checkpoint in place of the one before; a crash in the middle leaves that one.
 *
 * @param folder of the surface's log, which exists
 * @param kind `full` has all there is. `light` lacks the scrollback, so the one before it is kept as the earlier one
 * @throws when the disk does not take it, or ENOENT when the surface was forgotten meanwhile
 */
export async function saveCheckpoint(
  folder: string,
  facts: CheckpointFacts,
  voice: SavedSpeech,
  paint: Buffer,
  kind: 'full' | 'light',
): Promise<void> {
  const said = Buffer.from(JSON.stringify(voice));
  const header: CheckpointHeader = { version: VERSION, ...facts, voice_bytes: said.length, bytes: paint.length };
  const [file, earlier, draft] = [join(folder, FILE), join(folder, EARLIER_FILE), join(folder, `${FILE}.tmp`)];
  try {
    await writeDraft(draft, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), said, paint]));
  } catch (error) {
    // What a full disk took of it would only be in the way of output.
    await rm(draft, { force: true });
    throw error;
  }
  if (kind === 'light') await rename(file, earlier).catch(whenMissing);
  await rename(draft, file);
  if (kind === 'full') await rm(earlier, { force: true });
}

async function writeDraft(draft: string, content: Buffer): Promise<void> {
  const output = await open(draft, 'w', FILE_MODE);
  try {
    // Goes on after a part: a full disk takes one, and refuses the rest.
    await output.writeFile(content);
    await output.datasync();
  } finally {
    await output.close();
  }
}

/** @returns undefined when there is none that can be used: missing, cut short, of another version or another surface */
export function loadCheckpoint(folder: string, surfaceId: string): Checkpoint | undefined {
  return load(join(folder, FILE), surfaceId);
}

/** The one before a light one. */
export function loadEarlier(folder: string, surfaceId: string): Checkpoint | undefined {
  return load(join(folder, EARLIER_FILE), surfaceId);
}

function load(path: string, surfaceId: string): Checkpoint | undefined {
  const content = readWhole(path);
  const end = content?.indexOf('\n') ?? -1;
  if (content === undefined || end < 0) return undefined;
  const header = parseHeader(content.toString('utf8', 0, end), surfaceId);
  if (header === undefined) return undefined;
  const start = end + 1 + (header.voice_bytes ?? 0);
  const paint = content.subarray(start);
  if (paint.length !== header.bytes) return undefined;
  return { header, paint, voice: parseVoice(content.toString('utf8', end + 1, start)) };
}

/** It is complete when the paint after it is; nobody but us writes the file. */
function parseVoice(json: string): SavedSpeech | undefined {
  return json === '' ? undefined : (JSON.parse(json) as SavedSpeech);
}

/** The header alone: title and directory without the cost of the screen. */
export function peekCheckpoint(folder: string, surfaceId: string): CheckpointHeader | undefined {
  const start = readStart(join(folder, FILE));
  const end = start?.indexOf('\n') ?? -1;
  return start === undefined || end < 0 ? undefined : parseHeader(start.toString('utf8', 0, end), surfaceId);
}

function parseHeader(text: string, surfaceId: string): CheckpointHeader | undefined {
  try {
    const header = JSON.parse(text) as Partial<CheckpointHeader>;
    const counts = [header.offset, header.rev, header.cols, header.rows, header.voice_bytes ?? 0, header.bytes];
    const sound = header.version === VERSION && header.surface_id === surfaceId && counts.every(isCount);
    return sound ? (header as CheckpointHeader) : undefined;
  } catch {
    // Half a header is as good as none: the log has everything.
    return undefined;
  }
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function readWhole(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    return whenMissing(error);
  }
}

function readStart(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    return whenMissing(error);
  }
  try {
    const start = Buffer.allocUnsafe(MAX_HEADER_BYTES);
    return start.subarray(0, readSync(fd, start));
  } finally {
    closeSync(fd);
  }
}

function whenMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
