import { spawnSync } from 'node:child_process';
import type { Result } from '@switchyard/protocol';
import { processesOf, readProcesses } from '@switchyard/service/processes';
import type { KeptTerminal } from './keeper/index.js';

type Usage = Result<'terminal.usage'>['terminals'];

/** What the programs in terminals have used so far, from one reading of the process table. */
export function usageOf(terminals: readonly KeptTerminal[]): Usage {
  if (terminals.length === 0) return [];
  const reading = readProcesses(run);
  return terminals.map(({ surface_id, pid, tty, offset, input }) => ({
    surface_id,
    pid,
    output_bytes: offset,
    input_bytes: input.taken ?? 0,
    input_waiting: input.queued,
    processes: processesOf(reading.all, reading.sessionOf({ pid, tty })).map((process) => ({
      pid: process.pid,
      parent: process.parent,
      start: process.start,
      cpu_ms: process.cpuMs,
      children_cpu_ms: process.childrenCpuMs,
      rss_bytes: reading.rssBytes(process.pid),
    })),
  }));
}

/** Its status only says whether it found any. */
function run(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? '';
}
