import { closeSync, openSync, writeSync } from 'node:fs';
import {
  BLOCKED_KINDS,
  type BlockedKind,
  encodeClear,
  encodeStatus,
  STATUS_STATES,
  type StatusDraft,
  type StatusState,
} from '@switchyard/agents';
import { type Options, type Run, text } from '../command.js';
import { UsageError } from '../context.js';

const STDOUT = 1;

/** Tells the terminal that this runs in how a script is doing. Works without a yard, in any terminal that listens. */
export const statusReport: Run = async (_context, [state = ''], options) => {
  writeToTerminal(sequenceFor(state, options));
  return undefined;
};

function sequenceFor(state: string, options: Options): string {
  try {
    return state === 'clear' ? encodeClear(text(options, 'id')) : encodeStatus(draftOf(state, options));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

function draftOf(state: string, options: Options): StatusDraft {
  if (!isState(state)) throw new UsageError(`the state is one of ${STATUS_STATES.join(', ')}, clear`);
  const kind = text(options, 'kind');
  if (kind !== undefined && !isKind(kind)) throw new UsageError(`the kind is one of ${BLOCKED_KINDS.join(', ')}`);
  const progress = text(options, 'progress');
  if (progress !== undefined && !/^\d{1,3}$/.test(progress)) throw new UsageError('progress is a number from 0 to 100');
  return {
    state,
    id: text(options, 'id') ?? '',
    kind: kind ?? null,
    progress: progress === undefined ? null : Number(progress),
    app: text(options, 'app') ?? null,
    title: text(options, 'title') ?? null,
    msg: text(options, 'msg') ?? null,
  };
}

const isState = (value: string): value is StatusState => (STATUS_STATES as readonly string[]).includes(value);
const isKind = (value: string): value is BlockedKind => (BLOCKED_KINDS as readonly string[]).includes(value);

/** A script's output may go to a file while the script still runs in a terminal. */
function writeToTerminal(sequence: string): void {
  if (process.stdout.isTTY === true) {
    writeSync(STDOUT, sequence);
    return;
  }
  const tty = openTerminal();
  try {
    writeSync(tty, sequence);
  } finally {
    closeSync(tty);
  }
}

function openTerminal(): number {
  try {
    return openSync('/dev/tty', 'w');
  } catch {
    throw new UsageError('there is no terminal to report to');
  }
}
