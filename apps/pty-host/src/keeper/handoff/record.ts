import { KeeperFault } from '../fault.js';

/** Raised when a field changes its meaning; a keeper reads its own format and the one before. */
export const HANDOFF_FORMAT = 1;
const OLDEST_FORMAT = 1;

/** A running program, as one keeper hands it to the next within the same process. */
export interface HandedProgram {
  readonly pid: number;
  readonly tty: string;
  readonly master: number;
  readonly slave: number;
  /** Input that the program has not taken yet, in base64. */
  readonly input: string;
  readonly stalls: number;
  readonly overflows: number;
  /** Members of its session so far: pid and start. */
  readonly session: readonly (readonly [number, string])[];
  /** Somebody is closing it. */
  readonly closing: boolean;
}

/** What of a terminal is in no file. */
export interface HandedTerminal {
  readonly surface_id: string;
  readonly cols: number;
  readonly rows: number;
  /** End of its log, to see that both mean the same one. */
  readonly offset: number;
  readonly acked: number;
  /** Inputs that must not be typed again: id and bytes. */
  readonly inputs: readonly (readonly [string, number])[];
  readonly program: HandedProgram | null;
}

export interface HandoffRecord {
  readonly format: number;
  /** Version of the software that wrote it. */
  readonly software: string;
  readonly terminals: readonly HandedTerminal[];
}

/** One line for the head and one for each terminal: none of them is longer than its terminal's input queue. */
export function* recordLines({ terminals, ...head }: HandoffRecord): Generator<string> {
  yield `${JSON.stringify({ ...head, count: terminals.length })}\n`;
  for (const terminal of terminals) yield `${JSON.stringify(terminal)}\n`;
}

/** @throws KeeperFault `version_mismatch` for a format that is not known, `parse_error` for half a record */
export function parseRecord(lines: Iterable<string>): HandoffRecord {
  const [first, ...rest] = lines;
  const { count, ...head } = parse(first ?? '') as Omit<HandoffRecord, 'terminals'> & { count: number };
  if (!(head.format >= OLDEST_FORMAT && head.format <= HANDOFF_FORMAT)) {
    const known = { format: head.format ?? null, oldest: OLDEST_FORMAT, newest: HANDOFF_FORMAT };
    throw new KeeperFault('version_mismatch', `A handoff of format ${head.format} cannot be read.`, known);
  }
  const terminals = rest.map((line) => parse(line) as HandedTerminal);
  if (terminals.length !== count) {
    throw new KeeperFault('parse_error', `The handoff names ${count} terminals and has ${terminals.length}.`);
  }
  return { ...head, terminals };
}

/** Every descriptor of the terminals. */
export function descriptorsIn({ terminals }: Pick<HandoffRecord, 'terminals'>): number[] {
  return terminals.flatMap(({ program }) => (program === null ? [] : [program.master, program.slave]));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new KeeperFault('parse_error', 'The handoff is not what a keeper writes.');
  }
}
