import { quantile, samples, wallClock } from './support/stats.mjs';
import { close, openTerminal, shown } from './support/terminal.mjs';

/** One key typed by a client until the same client has seen its echo: gateway, services, PTY and back. */
export async function echo({ client, tmux, tmuxName, quick }) {
  const count = quick ? 100 : 500;
  const ours = await echoThroughUs(client, count);
  const other = tmux ? await echoThroughTmux(tmux, count) : null;
  return quantiles('echo of a key', ours, other, `${tmuxName}, control mode`);
}

const ECHO = "stty raw -echo; printf 'GO-%s' ON; exec cat";

async function echoThroughUs(client, count) {
  const terminal = await openTerminal(client, ['/bin/sh', '-c', ECHO]);
  const { surface_id } = terminal;
  let { offset } = await shown(client, surface_id, 'GO-ON');
  const data = Buffer.from('x').toString('base64');
  const all = await samples(count, async () => {
    const seen = client.call('surface.read_output', { surface_id, offset, wait_ms: 10_000 });
    await client.call('surface.send_bytes', { surface_id, data });
    ({ next_offset: offset } = await seen);
  });
  await close(client, terminal);
  return all;
}

async function echoThroughTmux(tmux, count) {
  await tmux.session('echo', `exec /bin/sh -c "${ECHO}"`);
  await tmux.untilShown('echo', 'GO-ON');
  const control = tmux.control('echo');
  await control.ready;
  const all = await samples(count, async () => {
    const seen = new Promise((resolve) => control.onOutput(resolve));
    await control.send('send-keys -l x');
    await seen;
  });
  await control.stop();
  await tmux.command('kill-session', '-t', 'echo');
  return all;
}

/** From the moment a program prints a text until the client that waits for it knows. */
export async function wait({ client, tmux, tmuxName, quick }) {
  const count = quick ? 50 : 200;
  const ours = await waitThroughUs(client, count);
  const other = tmux ? await waitThroughTmux(tmux, count) : null;
  return quantiles('wait for a text', ours, other, `${tmuxName}, control mode (tmux has no waits for text)`);
}

/** For each line it reads it prints when it did so. */
const STAMPER = [
  process.execPath,
  '-e',
  "process.stdin.setRawMode(true);process.stdout.write('GO-'+'ON');let n=0;process.stdin.on('data',()=>" +
    "process.stdout.write('\\r\\nMARK-'+n+++'-'+(performance.timeOrigin+performance.now()).toFixed(3)+';'))",
];

async function waitThroughUs(client, count) {
  const terminal = await openTerminal(client, STAMPER);
  const { surface_id } = terminal;
  await shown(client, surface_id, 'GO-ON');
  const all = [];
  for (let i = 0; i < count; i++) {
    const waiting = client.call('surface.wait', { surface_id, pattern: `MARK-${i}-[0-9.]+;`, timeout_ms: 10_000 });
    await client.call('surface.send_text', { surface_id, text: 'x' });
    const { match } = await waiting;
    all.push(wallClock() - Number(match.split('-')[2].slice(0, -1)));
  }
  await close(client, terminal);
  return all;
}

async function waitThroughTmux(tmux, count) {
  await tmux.session('wait', `exec ${STAMPER.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ')}`);
  await tmux.untilShown('wait', 'GO-ON');
  const control = tmux.control('wait');
  await control.ready;
  const all = [];
  for (let i = 0; i < count; i++) {
    let text = '';
    const seen = new Promise((resolve) => {
      control.onOutput((line) => {
        text += line;
        const stamp = new RegExp(`MARK-${i}-([0-9.]+);`).exec(text)?.[1];
        if (stamp !== undefined) resolve(wallClock() - Number(stamp));
      });
    });
    await control.send('send-keys -l x');
    all.push(await seen);
  }
  await control.stop();
  await tmux.command('kill-session', '-t', 'wait');
  return all;
}

function quantiles(what, ours, other, than) {
  return [0.5, 0.99].map((q) => ({
    what: `${what}, p${q * 100}`,
    unit: 'ms',
    ours: quantile(ours, q),
    other: other && quantile(other, q),
    than: other ? than : '',
    better: 'lower',
  }));
}
