import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, timed } from './support/stats.mjs';
import { close, openTerminal, shown } from './support/terminal.mjs';

const run = promisify(execFile);
const MB = 1_000_000;
const TERMINALS = 16;

/** A program that waits for Enter, prints a file, then a mark that its own command line does not show. */
const printer = (file) => `read go; cat '${file}'; printf 'END-%s\\n' MARK; read stop`;
const END = 'END-MARK';

/**
 * Output from the first byte until the last one is parsed into the screen: 50 MB plain and coloured through one
 * terminal, and the same amount through sixteen at once.
 */
export async function throughput({ client, tmux, tmuxName, dir, quick }) {
  const bytes = (quick ? 8 : 50) * MB;
  const rounds = quick ? 1 : 3;
  const plain = textFile(join(dir, 'plain.txt'), bytes, plainLine);
  const coloured = textFile(join(dir, 'coloured.txt'), bytes, colouredLine);
  const part = textFile(join(dir, 'part.txt'), bytes / TERMINALS, plainLine);
  const rows = [];
  for (const [name, file, terminals] of [
    ['plain text, one terminal', plain, 1],
    ['coloured text, one terminal', coloured, 1],
    [`plain text, ${TERMINALS} terminals at once`, part, TERMINALS],
  ]) {
    const total = file.bytes * terminals;
    const rate = (ms) => total / MB / (ms / 1000);
    const ours = rate(await medianMs(rounds, () => throughUs(client, file.path, terminals)));
    const row = { what: `output parsed: ${name}`, unit: 'MB/s', ours, better: 'higher' };
    if (tmux) {
      const other = rate(await medianMs(rounds, () => throughTmux(tmux, file.path, terminals)));
      rows.push({ ...row, other, than: tmuxName });
    }
    if (terminals === 1) {
      const other = rate(await medianMs(rounds, () => throughRawPty(file.path)));
      rows.push({ ...row, other, than: 'floor: raw PTY, read and thrown away' });
    }
  }
  return rows;
}

async function medianMs(rounds, work) {
  const all = [];
  for (let i = 0; i < rounds; i++) all.push(await work());
  return median(all);
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
  const { ms } = await timed(() =>
    Promise.all(
      windows.map(async (name) => {
        await tmux.command('send-keys', '-t', name, 'Enter');
        await tmux.untilShown(name, END);
      }),
    ),
  );
  for (const name of windows) await tmux.command('kill-session', '-t', name);
  return ms;
}

/** util-linux `script`: a PTY whose output is read and discarded by a C program. */
async function throughRawPty(file) {
  return (await timed(() => run('sh', ['-c', `script -qec "cat '${file}'" /dev/null >/dev/null </dev/null`]))).ms;
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
