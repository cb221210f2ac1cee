import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Cast, type CastEvent, parseCast } from 'switchyard/replay';

/** What was true in a recording. `none`: no agent at all. */
export type TrueState = 'starting' | 'idle' | 'working' | 'blocked' | 'exited' | 'none';

export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly state: TrueState;
}

export interface Foreground {
  readonly t: number;
  readonly comm: string;
  readonly argv: readonly string[];
}

/** Truth about a recording; what the evaluation reads of `NAME.labels.json`. Times are seconds from its start. */
export interface Labels {
  readonly agent: string;
  readonly is_agent: boolean;
  readonly duration: number;
  readonly intervals: readonly Interval[];
  readonly slack: number;
  readonly foreground: readonly Foreground[];
}

export interface Recording extends Cast {
  readonly name: string;
  readonly labels: Labels;
}

/** The recordings at the given paths: files, or folders that hold them at any depth. Sorted by path. */
export function castFiles(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).map((name) => join(path, name));
    return castFiles(names.filter((name) => name.endsWith('.cast') || statSync(name).isDirectory()));
  });
  return found.filter((path) => existsSync(labelsOf(path))).sort();
}

const labelsOf = (cast: string) => cast.replace(/\.cast$/, '.labels.json');

/** A program status report or query, whole. */
const STATUS = /\u001b\]7501;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** @param withoutStatus take out what programs say with OSC 7501 */
export function readRecording(cast: string, withoutStatus: boolean): Recording {
  const { cols, rows, events } = parseCast(readFileSync(cast, 'utf8'));
  return {
    name: `${basename(dirname(cast))}/${basename(cast, '.cast')}`,
    cols,
    rows,
    events: withoutStatus ? stripped(events) : events,
    labels: JSON.parse(readFileSync(labelsOf(cast), 'utf8')) as Labels,
  };
}

/** A report may begin in one write and end in the next: such writes are stripped together. */
function stripped(events: readonly CastEvent[]): CastEvent[] {
  const done: CastEvent[] = [];
  let held = '';
  for (const event of events) {
    if (event.kind === 'r') {
      done.push(event);
      continue;
    }
    const text = (held + event.data).replace(STATUS, '');
    const open = openStatusIn(text);
    held = text.slice(open);
    done.push({ ...event, data: text.slice(0, open) });
  }
  const last = done.at(-1);
  return held === '' || last === undefined ? done : [...done, { ...last, data: held }];
}

const STATUS_START = '\u001b]7501;';
/** The longest report of the protocol; a longer one is none. */
const STATUS_LIMIT = 4096;

/** @returns where a report begins that is not complete, or the length */
function openStatusIn(text: string): number {
  const at = text.lastIndexOf('\u001b');
  if (at < 0 || text.length - at > STATUS_LIMIT) return text.length;
  const tail = text.slice(at);
  const begins = STATUS_START.startsWith(tail) || tail.startsWith(STATUS_START);
  return begins ? at : text.length;
}
