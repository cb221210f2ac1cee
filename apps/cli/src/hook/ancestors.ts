import { readFileSync, readlinkSync } from 'node:fs';
import { processNames } from '@switchyard/agents/process-name';
import type { Ancestor } from '@switchyard/integrations/events';

/** Terminal, shell, agent, shell, nested agent, shell: real chains are shorter. */
const MAX_ANCESTORS = 16;
/** Other systems ask `ps`, which reads the whole process table. */
const PS_TIMEOUT_MS = 200;
/** With this argument Codex is a server for its windows in all terminals. */
const SERVER = 'app-server';

interface Row extends Ancestor {
  readonly parent: number;
}

/** The processes above this one, the nearest first; as far as the system tells. */
export async function processesAbove(parent: number, deadline: AbortSignal): Promise<Ancestor[]> {
  if (process.platform === 'linux') return chain(parent, processRow);
  // Without the table an event counts as the agent's own, as on a system without `ps`.
  const lookUp = await processTable(deadline).catch(() => () => undefined);
  return chain(parent, lookUp);
}

function chain(parent: number, lookUp: (pid: number) => Row | undefined): Ancestor[] {
  const above: Ancestor[] = [];
  for (let pid = parent; pid > 1 && above.length < MAX_ANCESTORS; ) {
    const row = lookUp(pid);
    if (row === undefined) break;
    above.push(row);
    pid = row.parent;
  }
  return above;
}

function processRow(pid: number): Row | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the numbers start behind the last one.
    const comm = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const [, parent, group, session] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return rowOf(pid, [parent, group, session], comm, argv);
  } catch {
    // It has ended, or belongs to somebody else: the chain ends here.
    return undefined;
  }
}

/** @returns looks a process up in one answer of `ps` */
export async function processTable(deadline: AbortSignal): Promise<(pid: number) => Row | undefined> {
  const { execFile } = await import('node:child_process');
  const text = await new Promise<string>((resolve, reject) => {
    const options = { signal: deadline, timeout: PS_TIMEOUT_MS, maxBuffer: 8_388_608 };
    execFile('ps', ['-axo', 'pid=,ppid=,pgid=,args='], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  const rows = new Map<number, Row>();
  for (const line of text.split('\n')) {
    const [pid = '', parent, group, ...argv] = line.trim().split(/\s+/);
    rows.set(Number(pid), rowOf(Number(pid), [Number(parent), Number(group), 0], '', argv));
  }
  return (pid) => rows.get(pid);
}

type Numbers = readonly (number | undefined)[];

function rowOf(pid: number, [parent = 0, group = 0, session = 0]: Numbers, comm: string, argv: string[]): Row {
  const names = processNames({ comm, argv });
  return { pid, parent, group, session, names, serves: argv.includes(SERVER) };
}

/** The directory that a process is in; null: the system does not tell. */
export function directoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended, or this is not Linux.
    return null;
  }
}
