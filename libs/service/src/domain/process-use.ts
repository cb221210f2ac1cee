/** What one process has used so far. Pid and start together name it for ever; a pid alone is used again. */
export interface ProcessUse {
  readonly pid: number;
  readonly parent: number;
  /** What all processes of a terminal's session share: the session id, or on macOS the terminal's name. */
  readonly session: string;
  /** Opaque. */
  readonly start: string;
  readonly cpuMs: number;
  /** Of children that have ended and were waited for; 0 where the system does not tell. */
  readonly childrenCpuMs: number;
}

/** The part that a difference of two readings is made of. */
export type CpuUse = Pick<ProcessUse, 'pid' | 'parent' | 'start' | 'cpuMs' | 'childrenCpuMs'>;

/** Fields of /proc/PID/stat after the command name, counted from the state (proc(5) numbers it 3). */
const FIELD = { state: 0, parent: 1, session: 3, user: 11, system: 12, childUser: 13, childSystem: 14, start: 19 };
/** USER_HZ, in which the kernel counts for programs, is 100 on every architecture that Node runs on. */
const MS_PER_TICK = 10;

/** @param stat text of /proc/PID/stat; the name in it may hold blanks and parentheses. A zombie is no process any more */
export function parseStatUse(stat: string): ProcessUse | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length <= FIELD.start || fields[FIELD.state] === 'Z' || fields[FIELD.state] === 'X') return undefined;
  const ms = (...ticks: number[]) => ticks.reduce((sum, field) => sum + Number(fields[field]), 0) * MS_PER_TICK;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[FIELD.parent]),
    session: fields[FIELD.session] ?? '',
    start: fields[FIELD.start] ?? '',
    cpuMs: ms(FIELD.user, FIELD.system),
    childrenCpuMs: ms(FIELD.childUser, FIELD.childSystem),
  };
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]+ \d+)\s+([\d:.-]+)\s+(\d+)/;

/** @param line of `ps -axo pid=,ppid=,stat=,tty=,lstart=,time=,rss=` in the C locale */
export function parsePsUse(line: string): (ProcessUse & { readonly rssBytes: number }) | undefined {
  const [, pid, parent, stat, session, start, time, rss] = PS_LINE.exec(line) ?? [];
  if (pid === undefined || stat === undefined || stat.startsWith('Z')) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    session: session ?? '',
    start: start ?? '',
    cpuMs: psTimeMs(time ?? ''),
    childrenCpuMs: 0,
    rssBytes: Number(rss) * 1024,
  };
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
function psTimeMs(text: string): number {
  const [days, clock] = text.includes('-') ? text.split('-') : ['0', text];
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}

/**
 * The processes of one program: all of its session, and all that descend from one of these, wherever they have gone.
 *
 * @param session that the program leads; see {@link ProcessUse.session}
 */
export function processesOf<P extends Pick<ProcessUse, 'pid' | 'parent' | 'session'>>(
  all: readonly P[],
  session: string,
): P[] {
  const children = new Map<number, P[]>();
  for (const one of all) {
    const siblings = children.get(one.parent);
    if (siblings === undefined) children.set(one.parent, [one]);
    else siblings.push(one);
  }
  const found = new Map(all.filter((one) => one.session === session).map((one) => [one.pid, one]));
  for (const one of found.values()) {
    for (const child of children.get(one.pid) ?? []) found.set(child.pid, child);
  }
  return [...found.values()];
}

/**
 * CPU time that a group of processes has used between two readings, in milliseconds. What a process used that ended in
 * between is found with the nearest of its ancestors that still runs; it is lost when there is none, or that never waited.
 */
export function usedBetween(before: readonly CpuUse[], after: readonly CpuUse[]): number {
  const now = new Map(after.map((one) => [one.pid, one]));
  const lives = (one: CpuUse) => now.get(one.pid)?.start === one.start;
  const parents = new Map(before.map((one) => [one.pid, one]));
  const ended = new Map<number, number>();
  for (const one of before) {
    if (lives(one)) continue;
    const heir = survivorAbove(one, parents, lives);
    if (heir === undefined) continue;
    ended.set(heir, (ended.get(heir) ?? 0) + one.cpuMs + one.childrenCpuMs);
  }
  let used = 0;
  for (const one of after) {
    const then = parents.get(one.pid);
    const was = then?.start === one.start ? then : { cpuMs: 0, childrenCpuMs: 0 };
    const ofChildren = one.childrenCpuMs - was.childrenCpuMs - (ended.get(one.pid) ?? 0);
    used += one.cpuMs - was.cpuMs + Math.max(0, ofChildren);
  }
  return used;
}

function survivorAbove(
  one: CpuUse,
  parents: ReadonlyMap<number, CpuUse>,
  lives: (one: CpuUse) => boolean,
): number | undefined {
  const seen = new Set<number>();
  for (let above = parents.get(one.parent); above !== undefined; above = parents.get(above.parent)) {
    if (seen.has(above.pid)) return undefined;
    seen.add(above.pid);
    if (lives(above)) return above.pid;
  }
  return undefined;
}
