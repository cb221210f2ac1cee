import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import type { ProcessFacts, ProcessSource } from './process-source.js';

const COLUMNS = 'pid=,ppid=,pgid=,tpgid=,stat=,lstart=,command=';
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]+ \d+)\s+(.*)$/;
/** ps takes some ten milliseconds, all of them on this loop: looks that come together share one. */
const FRESH_MS = 500;

interface Listed extends ProcessFacts {
  readonly argv: string[];
}

/** @param line of `ps -axo` with our columns, in the C locale. A zombie is no process any more */
export function parsePsLine(line: string): Listed | undefined {
  const [, pid, parent, group, foreground, stat, start, command] = LINE.exec(line) ?? [];
  if (start === undefined || command === undefined || stat?.startsWith('Z')) return undefined;
  // Blanks in arguments are not to be told from blanks between them; names are found all the same.
  const argv = command.split(' ');
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    foreground: Number(foreground),
    start: Date.parse(start),
    comm: basename(argv[0] ?? ''),
    argv,
  };
}

/** ps(1) of macOS and the BSDs. It does not tell environments. */
export function psSource(now: () => number): ProcessSource {
  let read: { readonly at: number; readonly all: ReadonlyMap<number, Listed> } | undefined;
  const all = () => {
    if (read === undefined || now() - read.at > FRESH_MS) read = { at: now(), all: listAll() };
    return read.all;
  };
  const where = (test: (facts: ProcessFacts) => boolean) => [...all().values()].filter(test);
  return {
    find: (pid) => all().get(pid),
    argv: (pid) => all().get(pid)?.argv ?? [],
    variable: () => null,
    children: (pid) => where(({ parent }) => parent === pid),
    group: (group) => where((facts) => facts.group === group),
  };
}

function listAll(): ReadonlyMap<number, Listed> {
  const ps = spawnSync('ps', ['-axo', COLUMNS], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  const listed = (ps.stdout ?? '').split('\n').flatMap((line) => parsePsLine(line) ?? []);
  return new Map(listed.map((facts) => [facts.pid, facts]));
}
