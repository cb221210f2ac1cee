import { close, openTerminal, shown } from './support/terminal.mjs';
import { residentBytes } from './support/tmux.mjs';

const MiB = 1024 * 1024;
const LINES = 5000;
/** Lines as wide as the terminal. */
const FULL = 199;
const FILL = `awk 'BEGIN { s = sprintf("%${FULL - 8}s", ""); gsub(/ /, "x", s); for (i = 0; i < ${LINES}; i++) printf "%08d%s\\n", i, s }'; printf 'END-%s\\n' MARK; read stop`;

/** What a terminal with 5,000 full lines adds to all processes of the yard together, its shell not counted. */
export async function memory({ yard, client, tmux, tmuxName, quick }) {
  const count = quick ? 5 : 20;
  const ours =
    (await perTerminal(
      () => residentOfYard(yard),
      () => openFilled(client, count),
    )) /
    count /
    MiB;
  const other = tmux ? (await inTmux(tmux, count)) / count / MiB : null;
  const row = { what: `memory per terminal with ${LINES} full lines`, unit: 'MiB', ours, better: 'lower' };
  return [{ ...row, other, than: tmux ? tmuxName : '' }];
}

async function perTerminal(resident, open) {
  const before = await resident();
  const closeAll = await open();
  const after = await resident();
  await closeAll();
  return after - before;
}

async function residentOfYard(yard) {
  const processes = await yard.processes();
  return processes.reduce((sum, { pid }) => sum + (pid === null ? 0 : residentBytes(pid)), 0);
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
  return perTerminal(
    () => residentBytes(pid),
    async () => {
      for (let i = 0; i < count; i++) {
        await tmux.session(`m${i}`, `exec /bin/sh -c "${FILL.replaceAll(/(["$\\])/g, '\\$1')}"`, { history: LINES });
        await tmux.untilShown(`m${i}`, 'END-MARK');
      }
      return () => tmux.command('kill-session', '-a', '-t', 'stay');
    },
  );
}
