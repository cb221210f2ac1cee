/** One process as the system lists it. Pid and start together name it for ever; a pid alone is used again. */
export interface ProcessInfo {
  readonly pid: number;
  /** Opaque; equal when it is the same process. */
  readonly start: string;
  /** Rises with the time of the start, for "not older than". */
  readonly startOrder: number;
  /** What all processes of one terminal's session share: the session id, or on macOS the terminal's name. */
  readonly session: string;
  readonly zombie: boolean;
  readonly command: string;
}

/** Fields of /proc/PID/stat after the command name, counted from the state (proc(5) numbers it 3). */
const STATE = 0;
const SESSION = 3;
const START = 19;

/** @param stat text of /proc/PID/stat; the name in it may hold blanks and parentheses */
export function parseStat(stat: string): ProcessInfo | undefined {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  const fields = stat.slice(close + 2).split(' ');
  const start = fields[START];
  const session = fields[SESSION];
  if (open < 0 || close < open || start === undefined || session === undefined) return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    start,
    startOrder: Number(start),
    session,
    zombie: fields[STATE] === 'Z' || fields[STATE] === 'X',
    command: stat.slice(open + 1, close),
  };
}

const PS_LINE = /^\s*(\d+)\s+(\S+)\s+(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]+ \d+)\s+(.*)$/;

/** @param line of `ps -axo pid=,stat=,tty=,lstart=,comm=` in the C locale */
export function parsePsLine(line: string): ProcessInfo | undefined {
  const [, pid, stat, session, start, command] = PS_LINE.exec(line) ?? [];
  if (pid === undefined || stat === undefined || session === undefined || start === undefined) return undefined;
  return {
    pid: Number(pid),
    start,
    startOrder: Date.parse(start),
    session,
    zombie: stat.startsWith('Z'),
    command: command ?? '',
  };
}
