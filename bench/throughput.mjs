import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inTurns } from './support/rounds.mjs';
import { median, timed } from './support/stats.mjs';
import { close, openTerminal, shown } from './support/terminal.mjs';

const run = promisify(execFile);
const MB = 1_000_000;
const TERMINALS = 16;

/** A program that waits for Enter, prints a file, then a mark that its own command line does not show. */
const printer = (file) => `read go; cat '${file}'; printf 'END-%s\\n' MARK; read stop`;
const END = 'END-MARK';
const PTY_READER = fileURLToPath(new URL('./support/pty-reader.mjs', import.meta.url));
/** Well under a hundredth of what is measured. */
const LOOK_EVERY_MS = 10;

/**
 * Output from the first byte until the last one is parsed into the screen: 50 MB plain and coloured through one
 * terminal, and the same amount through sixteen at once.
 */
export async function throughput({ client, tmux, tmuxName, dir, quick, rounds }) {
  const bytes = (quick ? 8 : 50) * MB;
  const plain = textFile(join(dir, 'plain.txt'), bytes, plainLine);
  const coloured = textFile(join(dir, 'coloured.txt'), bytes, colouredLine);
  const part = textFile(join(dir, 'part.txt'), bytes / TERMINALS, plainLine);
  const rows = [];
  for (const { name, file, terminals, target } of [
    { name: 'plain text, one terminal', file: plain, terminals: 1, target: 1.3 },
    { name: 'coloured text, one terminal', file: coloured, terminals: 1, target: 1.3 },
    { name: `plain text, ${TERMINALS} terminals at once`, file: part, terminals: TERMINALS, target: 1.5 },
  ]) {
    const times = await inTurns(rounds, {
      ours: () => throughUs(client, file.path, terminals),
      ...(tmux && { tmux: () => throughTmux(tmux, file.path, terminals) }),
      ...(terminals === 1 && { floor: () => throughBarePty(file.path) }),
    });
    const rate = (ms) => (file.bytes * terminals) / MB / (median(ms) / 1000);
    const row = { what: `output parsed: ${name}`, unit: 'MB/s', ours: rate(times.ours), better: 'higher' };
    if (times.tmux) rows.push({ ...row, other: rate(times.tmux), than: tmuxName, target });
    if (times.floor) rows.push({ ...row, other: rate(times.floor), than: 'floor: bare PTY reader, nothing parsed' });
  }
  return rows;
}

async function throughUs(client, file, count) {
  const terminals = [];
  for (let i = 0; i < count; i++) terminals.push(await openTerminal(client, ['/bin/sh', '-c', printer(file)]));
  const { ms } = await timed(() =>
    Promise.all(
      terminals.map(async ({ surface_id }) => {
        const end = shown(client, surface_id, END);
        await client.call('surface.send_key', { surface_id, key: 'enter' });
        await end;
      }),
    ),
  );
  for (const terminal of terminals) await close(client, terminal);
  return ms;
}

async function throughTmux(tmux, file, count) {
  const windows = [];
  for (let i = 0; i < count; i++) {
    const name = `t${i}`;
    await tmux.session(name, `exec /bin/sh -c "${printer(file).replaceAll('"', '\\"')}"`, { history: 10_000 });
    windows.push(name);
  }
  // One after the other, and not all the time: what is measured is tmux, not how often it is looked at.
  const { ms } = await timed(async () => {
    await Promise.all(windows.map((name) => tmux.command('send-keys', '-t', name, 'Enter')));
    for (const name of windows) await tmux.untilShown(name, END, LOOK_EVERY_MS);
  });
  for (const name of windows) await tmux.command('kill-session', '-t', name);
  return ms;
}

/** A process of its own with a PTY that reads and looks for the mark: the least that any terminal of Node does. */
async function throughBarePty(file) {
  return Number((await run(process.execPath, [PTY_READER, END, '/bin/sh', '-c', printer(file)])).stdout);
}

function textFile(path, bytes, line) {
  const parts = [];
  let size = 0;
  for (let i = 0; size < bytes; i++) {
    const text = line(i);
    parts.push(text);
    size += Buffer.byteLength(text);
  }
  writeFileSync(path, parts.join(''));
  return { path, bytes: size };
}

const WORDS = 'the quick brown fox jumps over the lazy dog and runs far away into the dark wood'.split(' ');

const plainLine = (i) => `${String(i).padStart(9, '0')} ${WORDS.join(' ')}\n`;

const colouredLine = (i) =>
  `${String(i).padStart(9, '0')} ${WORDS.map((word, n) => `\x1b[38;5;${(i + n * 7) % 256}m${word}\x1b[0m`).join(' ')}\n`;
