import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startYard } from '@switchyard/testing';
import { inTurns } from './support/rounds.mjs';
import { median, timed } from './support/stats.mjs';
import { Tmux } from './support/tmux.mjs';

const run = promisify(execFile);
const FLOOR = { than: 'floor: node -e 0' };

/** From nothing running to the first answer: `switchyard up --detach` and a ping; a tmux server and a display. */
export async function coldStart({ tmux, tmuxName, dir, bus, rounds }) {
  let server = 0;
  const all = await inTurns(rounds, {
    ours: () => yardStart(bus),
    floor: () => node('-e', '0'),
    ...(tmux && { tmux: () => tmuxStart(new Tmux(`cold-${server++}`, dir)) }),
  });
  const what = 'cold start until the first answer';
  return [
    { ...row(what, all.ours, all.floor), ...FLOOR, target: 30 },
    ...(tmux ? [{ ...row(what, all.ours, all.tmux), than: tmuxName }] : []),
  ];
}

/** One is soon over, so that each round has several. */
const CALLS_A_ROUND = 5;

/** A command of the CLI that asks the yard one thing, from its start to its end. */
export async function cliCall({ yard, tmux, tmuxName, rounds }) {
  const all = await inTurns(rounds * CALLS_A_ROUND, {
    ours: () => node(yard.program, 'call', 'system.ping', { env: yard.env }),
    floor: () => node('-e', '0'),
    ...(tmux && { tmux: async () => (await timed(() => tmux.serverPid())).ms }),
  });
  const what = 'a call with the CLI';
  return [
    { ...row(what, all.ours, all.floor), ...FLOOR, target: 2 },
    ...(tmux ? [{ ...row(what, all.ours, all.tmux), than: `${tmuxName}, display-message` }] : []),
  ];
}

const row = (what, ours, other) => ({ what, unit: 'ms', ours: median(ours), other: median(other), better: 'lower' });

async function yardStart(bus) {
  const { ms, value: yard } = await timed(() => startYard({ bus }));
  await yard.stop();
  return ms;
}

async function node(...args) {
  const options = typeof args.at(-1) === 'object' ? args.pop() : {};
  return (await timed(() => run(process.execPath, args, options))).ms;
}

async function tmuxStart(tmux) {
  const { ms } = await timed(async () => {
    await tmux.session('cold', 'exec sleep 1000');
    await tmux.serverPid();
  });
  await tmux.stop();
  return ms;
}
