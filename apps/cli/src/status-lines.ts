import type { Result } from '@switchyard/protocol';
import { cleanText } from './domain/clean-text.js';
import { showBytes, showDuration } from './domain/duration.js';
import type { Output } from './output.js';

type Status = Result<'yard.status'>;

const HEADING = ['process', 'state', 'pid', 'up', 'restarts', 'memory', 'version'];
const COLOURS = { ready: 'green', starting: 'yellow', draining: 'yellow', backoff: 'yellow', failed: 'red' } as const;

/** The table of `status` and of `up`. */
export function statusLines(out: Output, { yard, processes, supervisor }: Status): string[] {
  const rows = processes.map(({ name, state, pid, uptime_ms, restarts, rss_bytes, version }) => [
    name,
    state,
    pid === null ? '-' : String(pid),
    pid === null ? '-' : showDuration(uptime_ms),
    String(restarts),
    rss_bytes === null ? '-' : showBytes(rss_bytes),
    cleanText(version ?? '-'),
  ]);
  const memory = processes.reduce((sum, { rss_bytes }) => sum + (rss_bytes ?? 0), supervisor.rss_bytes);
  return [
    `${out.paint('bold', `yard ${cleanText(yard.name)}`)}  up ${showDuration(supervisor.uptime_ms)}, supervisor pid ${supervisor.pid}, version ${supervisor.version}`,
    `socket ${cleanText(yard.socket_path)}`,
    `bus ${cleanText(yard.bus)}, memory of all ${showBytes(memory)}`,
    '',
    ...out.table(HEADING, rows, (cell) => COLOURS[cell as keyof typeof COLOURS]),
  ];
}
