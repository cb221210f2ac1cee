import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openTerminal, shown } from './support/terminal.mjs';

/** What a program that has nothing to do uses as little of as anything can. */
const PROGRAM = "printf 'HE''RE\\n'; read stop";
/** After so many are opened screens are judged, saved and packed, and each of the processes collects its garbage once. */
const SETTLE_MS = 100_000;
const NS_PER_MS = 1e6;
/** Per cent of a core. */
const BOUND = 0.5;

/** CPU of all processes of a yard in which nothing happens, beside a tmux server in which nothing happens. */
export async function idle({ yard, client, tmux, tmuxName, quick }) {
  const [count, seconds] = quick ? [30, 10] : [300, 30];
  const terminals = [];
  for (let i = 0; i < count; i++) terminals.push(await openTerminal(client, ['/bin/sh', '-c', PROGRAM]));
  for (const { surface_id } of terminals) await shown(client, surface_id, 'HERE');
  if (tmux) for (let i = 0; i < count; i++) await tmux.session(`i${i}`, `exec /bin/sh -c "${PROGRAM}"`);
  await wait(quick ? SETTLE_MS / 5 : SETTLE_MS);
  // Asking for it costs something, so it is over before it begins.
  const { supervisor } = await client.call('yard.status', {});
  const ours = [supervisor.pid, ...(await yard.processes()).map(({ pid }) => pid)].filter(Number.isInteger);
  const server = tmux ? [await tmux.serverPid()] : [];
  await wait(1000);
  const before = [cpuMs(ours), cpuMs(server)];
  await wait(seconds * 1000);
  const share = (pids, from) => ((cpuMs(pids) - from) / (seconds * 1000)) * 100;
  const peer = tmux ? `; ${tmuxName}: ${share(server, before[1]).toFixed(3)} %` : '';
  return [
    {
      what: `idle, ${count} terminals`,
      unit: '% of a core',
      ours: share(ours, before[0]),
      other: BOUND,
      than: `bound that we set${peer}`,
      better: 'lower',
      target: 1,
    },
  ];
}

/** Time that the threads of some processes have run, user and system: finer than the hundredths that `stat` counts. */
function cpuMs(pids) {
  let ns = 0;
  for (const pid of pids) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    }
  }
  return ns / NS_PER_MS;
}
