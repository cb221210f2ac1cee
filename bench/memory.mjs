import { setTimeout as wait } from 'node:timers/promises';
import { close, openTerminal, shown } from './support/terminal.mjs';
import { residentBytes } from './support/tmux.mjs';

const MiB = 1024 * 1024;
const LINES = 5000;
/** Lines as wide as the terminal. */
const FULL = 199;
/** Nothing in them repeats, so nobody gains by compressing them. */
const FILL = `head -c ${(LINES * FULL * 3) / 4} /dev/urandom | base64 -w ${FULL}; printf 'END-%s\\n' MARK; read stop`;
/** From the time that all screens sleep: garbage is collected some seconds later. */
const GIVEN_BACK_MS = 15_000;

/** What a terminal with 5,000 full lines adds to all processes of the yard together, its shell not counted. */
export async function memory({ yard, client, tmux, tmuxName, quick }) {
  const count = quick ? 5 : 20;
  const none = await residentOfYard(yard);
  const closeAll = await openFilled(client, count);
  const printed = await residentOfYard(yard);
  await untilAsleep(client);
  await wait(GIVEN_BACK_MS);
  const asleep = await residentOfYard(yard);
  await closeAll();
  const other = tmux ? (await inTmux(tmux, count)) / count / MiB : null;
  const row = (ours, when) => ({
    what: `memory per terminal with ${LINES} full lines, ${when}`,
    unit: 'MiB',
    ours: (ours - none) / count / MiB,
    other,
    than: tmux ? tmuxName : '',
    better: 'lower',
    target: 1,
  });
  return [row(printed, `${count} that have just printed`), row(asleep, 'asleep')];
}

async function residentOfYard(yard) {
  const processes = await yard.processes();
  return processes.reduce((sum, { pid }) => sum + (pid === null ? 0 : residentBytes(pid)), 0);
}

async function untilAsleep(client) {
  for (;;) {
    const { services } = await client.call('system.health', {});
    const { surfaces, screens_asleep } = services.find(({ name }) => name === 'pty-host')?.gauges ?? {};
    if (surfaces !== undefined && screens_asleep === surfaces) return;
    await wait(100);
  }
}

async function openFilled(client, count) {
  const terminals = [];
  for (let i = 0; i < count; i++) {
    const terminal = await openTerminal(client, ['/bin/sh', '-c', FILL]);
    await shown(client, terminal.surface_id, 'END-MARK');
    terminals.push(terminal);
  }
  return async () => {
    for (const terminal of terminals) await close(client, terminal);
  };
}

async function inTmux(tmux, count) {
  const pid = await tmux.serverPid();
  const before = residentBytes(pid);
  for (let i = 0; i < count; i++) {
    await tmux.session(`m${i}`, `exec /bin/sh -c "${FILL}"`, { history: LINES });
    await tmux.untilShown(`m${i}`, 'END-MARK');
  }
  const after = residentBytes(pid);
  await tmux.command('kill-session', '-a', '-t', 'stay');
  return after - before;
}
