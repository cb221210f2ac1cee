import { setTimeout as delay } from 'node:timers/promises';
import { Pty } from './support/pty.mjs';
import { inTurns, quantileRows } from './support/rounds.mjs';
import { samples, sharedClock } from './support/stats.mjs';
import { close, openTerminal, shown } from './support/terminal.mjs';

/** One key typed by a client until the same client has seen its echo: gateway, services, PTY and back. */
export async function echo({ client, tmux, tmuxName, quick, rounds }) {
  const count = quick ? 100 : 300;
  const all = await inTurns(rounds, {
    ours: () => echoThroughUs(client, count),
    ...(tmux && { tmux: () => echoThroughTmux(tmux, count) }),
  });
  return quantileRows('echo of a key', all.ours, all.tmux, { than: `${tmuxName}, control mode` });
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

/** So fast nobody types; the trail of one key is over before the next one comes. */
const BETWEEN_KEYS_MS = 10;

/** A key typed into `sy attach` until its echo is drawn, beside the same through `tmux attach`: each in a PTY. */
export async function attach({ yard, client, tmux, tmuxName, quick, rounds }) {
  const count = quick ? 50 : 200;
  const all = await inTurns(rounds, {
    ours: () => attachToUs(yard, client, count),
    ...(tmux && { tmux: () => attachToTmux(tmux, count) }),
    floor: () => keysThrough(new Pty(['/bin/sh', '-c', ECHO]), count),
  });
  const what = 'echo of a key through an attached terminal';
  return [
    ...quantileRows(what, all.ours, all.tmux, { than: `${tmuxName}, attach`, target: 3 }),
    ...quantileRows(what, all.ours, all.floor, { than: 'floor: bare PTY reader' }),
  ];
}

async function attachToUs(yard, client, count) {
  const terminal = await openTerminal(client, ['/bin/sh', '-c', ECHO]);
  await shown(client, terminal.surface_id, 'GO-ON');
  const all = await keysThrough(
    new Pty([process.execPath, yard.program, 'attach', terminal.surface_id], yard.env),
    count,
  );
  await close(client, terminal);
  return all;
}

async function attachToTmux(tmux, count) {
  await tmux.session('attached', `exec /bin/sh -c "${ECHO}"`);
  await tmux.untilShown('attached', 'GO-ON');
  const all = await keysThrough(new Pty(tmux.attach('attached'), tmux.env), count);
  await tmux.command('kill-session', '-t', 'attached');
  return all;
}

/** Letters that no status line and no control sequence of an echo has. */
const KEYS = ['Q', 'W', 'X', 'Z'];

async function keysThrough(pty, count) {
  await pty.until(/GO-ON/);
  // Attaching is over when a key has come back.
  pty.write('!');
  await pty.until(/!/);
  const all = [];
  for (let i = 0; i < count; i++) {
    await delay(BETWEEN_KEYS_MS);
    const key = KEYS[i % KEYS.length];
    const start = sharedClock();
    const seen = pty.until(new RegExp(key));
    pty.write(key);
    await seen;
    all.push(sharedClock() - start);
  }
  await pty.stop();
  return all;
}

/** From the moment a program prints a text until the client that waits for it knows. */
export async function wait({ client, tmux, tmuxName, quick, rounds }) {
  const count = quick ? 50 : 200;
  const all = await inTurns(rounds, {
    ours: () => waitThroughUs(client, count),
    floor: () => waitOnBarePty(count),
    ...(tmux && { tmux: () => waitThroughTmux(tmux, count) }),
  });
  const what = 'wait for a text';
  return [
    ...quantileRows(what, all.ours, all.floor, { than: 'floor: bare PTY reader', target: 6 }),
    ...quantileRows(what, all.ours, all.tmux, { than: `${tmuxName}, control mode (tmux has no waits for text)` }),
  ];
}

/** For each key it prints when it did so: a moment later, when whatever the key has set in motion is at rest. */
const STAMPER = [
  process.execPath,
  '-e',
  "process.stdin.setRawMode(true);process.stdout.write('GO-'+'ON');let n=0;process.stdin.on('data',()=>setTimeout(()=>" +
    "process.stdout.write('\\r\\nMARK-'+n+++'-'+(Number(process.hrtime.bigint())/1e6).toFixed(3)+';'),10))",
];
const since = (stamp) => sharedClock() - Number(stamp);

async function waitThroughUs(client, count) {
  const terminal = await openTerminal(client, STAMPER);
  const { surface_id } = terminal;
  await shown(client, surface_id, 'GO-ON');
  const all = [];
  for (let i = 0; i < count; i++) {
    const waiting = client.call('surface.wait', { surface_id, pattern: `MARK-${i}-[0-9.]+;`, timeout_ms: 10_000 });
    await client.call('surface.send_text', { surface_id, text: 'x' });
    const { match } = await waiting;
    all.push(since(match.split('-')[2].slice(0, -1)));
  }
  await close(client, terminal);
  return all;
}

async function waitOnBarePty(count) {
  const pty = new Pty(STAMPER);
  await pty.until(/GO-ON/);
  const all = [];
  for (let i = 0; i < count; i++) {
    const seen = pty.until(new RegExp(`MARK-${i}-([0-9.]+);`));
    pty.write('x');
    const [, stamp] = await seen;
    all.push(since(stamp));
  }
  await pty.stop();
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
        if (stamp !== undefined) resolve(since(stamp));
      });
    });
    await control.send('send-keys -l x');
    all.push(await seen);
  }
  await control.stop();
  await tmux.command('kill-session', '-t', 'wait');
  return all;
}
