import { startYard } from '@switchyard/testing';
import { median, timed } from './support/stats.mjs';
import { Tmux } from './support/tmux.mjs';

/** From nothing running to the first answer: `switchyard up --detach` and a ping; a tmux server and a display. */
export async function coldStart({ tmux, tmuxName, dir, quick }) {
  const rounds = quick ? 2 : 5;
  const ours = [];
  const other = [];
  for (let i = 0; i < rounds; i++) {
    const { ms, value: yard } = await timed(() => startYard());
    ours.push(ms);
    await yard.stop();
    if (tmux) other.push(await tmuxStart(new Tmux(`cold-${i}`, dir)));
  }
  const row = { what: 'cold start until the first answer', unit: 'ms', ours: median(ours), better: 'lower' };
  return [{ ...row, other: tmux ? median(other) : null, than: tmux ? tmuxName : '' }];
}

async function tmuxStart(tmux) {
  const { ms } = await timed(async () => {
    await tmux.session('cold', 'exec sleep 1000');
    await tmux.serverPid();
  });
  await tmux.stop();
  return ms;
}
