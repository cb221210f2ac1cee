import { closeSync, openSync, readdirSync, readSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { suggest } from '@switchyard/config/suggest';
import { flag, type Run } from '../command.js';
import { UsageError } from '../context.js';
import { cleanLines } from '../domain/clean-text.js';
import { logLine } from '../domain/log-line.js';
import { count } from './count.js';

/** From the end of a log; more lines than anybody asks for fit in. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** How far each log has been shown. */
type Position = Map<string, number>;

export const logs: Run = async (context, [service], options) => {
  const { logDir } = context.paths;
  const files = logFiles(logDir, service);
  const lines = count(options, 'lines') ?? 0;
  const show = (file: string, line: string) =>
    context.out.line(context.out.asJson ? line : cleanLines(logLine(basename(file, '.log'), line)));
  const position: Position = new Map();
  const last = files.flatMap((file) => tail(file, lines, position).map((line) => ({ file, line })));
  for (const { file, line } of last.sort((a, b) => timeOf(a.line) - timeOf(b.line))) show(file, line);
  if (flag(options, 'follow')) await follow(logDir, service, position, show);
};

function logFiles(logDir: string, service: string | undefined): string[] {
  const names = readdirSync(logDir, { encoding: 'utf8' }).filter((name) => name.endsWith('.log'));
  if (service === undefined) return names.sort().map((name) => join(logDir, name));
  if (names.includes(`${service}.log`)) return [join(logDir, `${service}.log`)];
  const known = names.map((name) => basename(name, '.log'));
  const near = suggest(service, known);
  throw new UsageError(`there is no log of ${service}${near === undefined ? '' : `; did you mean ${near}?`}`);
}

function tail(file: string, lines: number, position: Position): string[] {
  const size = statSync(file).size;
  position.set(file, size);
  const text = readPart(file, Math.max(0, size - TAIL_BYTES), size);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .slice(-lines);
}

/** Shows what is added until the command is interrupted. The system tells of changes. */
async function follow(
  logDir: string,
  service: string | undefined,
  position: Position,
  show: (file: string, line: string) => void,
): Promise<never> {
  const showNew = () => {
    for (const file of logFiles(logDir, service)) {
      const size = statSync(file).size;
      const from = Math.min(position.get(file) ?? 0, size);
      // Emptied when it was full: begin again.
      const start = size < (position.get(file) ?? 0) ? 0 : from;
      const text = readPart(file, start, size);
      const complete = text.slice(0, text.lastIndexOf('\n') + 1);
      position.set(file, start + Buffer.byteLength(complete));
      for (const line of complete.split('\n')) if (line !== '') show(file, line);
    }
  };
  watch(logDir, showNew);
  showNew();
  return new Promise(() => undefined);
}

function readPart(file: string, from: number, to: number): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(to - from);
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from)).toString('utf8');
  } finally {
    closeSync(fd);
  }
}

function timeOf(line: string): number {
  return Number(/"time":(\d+)/.exec(line)?.[1] ?? 0);
}
