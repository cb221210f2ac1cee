// Runs as the first process of a pid namespace: ends a session whose leader's pid has gone to a stranger meanwhile.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { ProcessTable } from '../../dist/keeper/process-table.js';
import { Session } from '../../dist/keeper/session.js';

const TRIES = 100;
/** A session of its own, as a terminal's program has. */
const sleeper = () => spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });

const table = new ProcessTable();
const program = sleeper();
const session = new Session(table, { pid: program.pid, tty: '/dev/null' }, 'surface');
program.kill('SIGKILL');
await once(program, 'exit');

const stranger = takePid(program.pid);
const survivors = await session.end({ hangupGraceMs: 50, termGraceMs: 50 });
console.log(
  JSON.stringify({
    reused: stranger?.pid === program.pid,
    alive: stranger?.exitCode === null && stranger.signalCode === null && table.find(stranger.pid) !== undefined,
    survivors,
  }),
);
stranger?.kill('SIGKILL');

function takePid(pid) {
  for (let tried = 0; tried < TRIES; tried++) {
    // Threads of this process take numbers too.
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
    const child = sleeper();
    if (child.pid === pid) return child;
    child.kill('SIGKILL');
  }
  return undefined;
}
