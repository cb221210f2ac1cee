/** One line of an asciicast: output, or a new size as `COLSxROWS`. Time in seconds from the start. */
export interface CastEvent {
  readonly t: number;
  readonly kind: 'o' | 'r';
  readonly data: string;
}

/** A recording of a terminal, as far as its screen needs it. */
export interface Cast {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
}

/** The only version that is read: in others times and headers mean something else. */
const VERSION = 2;

/** Whether a file is a recording, of whatever version, rather than the text of a screen. */
export function isCast(text: string): boolean {
  return typeof headerOf(text)?.['version'] === 'number';
}

/**
 * Reads an asciicast of version 2. Input, marks and other events are left out; a last line that was cut off, as by a
 * recorder that was killed, is too.
 *
 * @throws Error that says which line is wrong
 */
export function parseCast(text: string): Cast {
  const { version, width, height } = headerOf(text) ?? {};
  if (version !== VERSION) throw new Error(`not an asciicast of version ${VERSION}`);
  if (!isSize(width) || !isSize(height)) throw new Error('line 1: width and height must be whole numbers above 0');
  const lines = text.split('\n');
  const events = lines.slice(1).flatMap((line, i) => {
    const event = line.trim() === '' ? [] : eventOf(line);
    if (event !== undefined) return event;
    if (i + 2 === lines.length) return [];
    throw new Error(`line ${i + 2}: not an event [time, kind, data]`);
  });
  return { cols: width, rows: height, events };
}

const isSize = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

function headerOf(text: string): Record<string, unknown> | undefined {
  const end = text.indexOf('\n');
  const value = jsonOf(end < 0 ? text : text.slice(0, end));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** @returns no event where it is of a kind that is left out; undefined where the line is none at all */
function eventOf(line: string): CastEvent[] | undefined {
  const value = jsonOf(line);
  if (!Array.isArray(value)) return undefined;
  const [t, kind, data] = value as unknown[];
  if (typeof t !== 'number' || typeof data !== 'string') return undefined;
  return kind === 'o' || kind === 'r' ? [{ t, kind, data }] : [];
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller says what it means that this is no JSON.
    return undefined;
  }
}
