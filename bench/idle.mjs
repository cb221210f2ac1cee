import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openTerminal, shown } from './support/terminal.mjs';

/** What a program that has nothing to do uses as little of as anything can. */
const PROGRAM = "printf 'HE''RE\\n'; read stop";
/** Opening so many takes a while: screens are judged, saved and packed for some seconds after it. */
const SETTLE_MS = 40_000;
const MS_PER_TICK = 10;
/** Per cent of a core: the clock of the system counts in hundredths of a second, so this is fifteen ticks. */
const BOUND = 0.5;

/** CPU of all processes of a yard in which nothing happens, beside a tmux server in which nothing happens. */
export async function idle({ yard, client, tmux, tmuxName, quick }) {
  const [count, seconds] = quick ? [30, 10] : [300, 30];
  const terminals = [];
  for (let i = 0; i < count; i++) terminals.push(await openTerminal(client, ['/bin/sh', '-c', PROGRAM]));
  for (const { surface_id } of terminals) await shown(client, surface_id, 'HERE');
  if (tmux) for (let i = 0; i < count; i++) await tmux.session(`i${i}`, `exec /bin/sh -c "${PROGRAM}"`);
  await wait(quick ? SETTLE_MS / 2 : SETTLE_MS);
  // Asking for it costs something, so it is over before it begins.
  const { supervisor } = await client.call('yard.status', {});
  const ours = [supervisor.pid, ...(await yard.processes()).map(({ pid }) => pid)].filter(Number.isInteger);
  const server = tmux ? [await tmux.serverPid()] : [];
  await wait(1000);
  const before = [cpuMs(ours), cpuMs(server)];
  await wait(seconds * 1000);
  const share = (pids, from) => ((cpuMs(pids) - from) / (seconds * 1000)) * 100;
  const row = { what: `idle, ${count} terminals`, unit: '% of a core', ours: share(ours, before[0]), better: 'lower' };
  return [
    { ...row, other: BOUND, than: 'bound that we set', target: 1 },
    { ...row, other: tmux ? share(server, before[1]) : null, than: tmux ? tmuxName : '' },
  ];
}

/** User and system time of some processes. */
function cpuMs(pids) {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * MS_PER_TICK;
}
