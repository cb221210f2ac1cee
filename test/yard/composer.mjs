/**
 * A coding agent as far as prompts go: a framed composer below a transcript, bracketed paste, a spinner while it "works".
 * It has the habits that lose prompts: an Enter in the same read as the end of a paste is swallowed, `!` typed at the
 * start of a line is shell mode, and every typed line end submits. Everything that is submitted goes to a file, one JSON
 * value a line: {"text", "mode"}.
 *
 * COMPOSER_LOG        that file
 * COMPOSER_PAINT_MS   milliseconds between input and its being painted (default 20)
 * COMPOSER_WORK_MS    length of a turn (default 300)
 * COMPOSER_FOLD       a paste of more lines than this is shown as a placeholder (default: never)
 * COMPOSER_DEAF       so many Enters have no effect at all (default 0)
 * COMPOSER_STATUS     1: says by OSC 7501 what it does
 * COMPOSER_ASKS       1: shows a permission dialog before the turn ends, until Enter
 */
import { appendFileSync } from 'node:fs';

const { COMPOSER_LOG: log = '/dev/null', COMPOSER_STATUS: status, COMPOSER_ASKS: asks } = process.env;
const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const PAINT_MS = number('COMPOSER_PAINT_MS', 20);
const WORK_MS = number('COMPOSER_WORK_MS', 300);
const FOLD = number('COMPOSER_FOLD', Number.POSITIVE_INFINITY);
const BOX_ROWS = 6;
const PASTE = { start: '\x1b[200~', end: '\x1b[201~' };

let deaf = number('COMPOSER_DEAF', 0);
let text = '';
let folded = 0;
let mode = 'prompt';
let pasting = false;
let working = false;
let asking = false;
let spin = 0;
let painted = 0;
let paintTimer;

const write = (data) => process.stdout.write(data);
const report = (state) => status && write(`\x1b]7501;state=${state}:app=composer\x1b\\`);

function boxRows() {
  const width = Math.max(20, (process.stdout.columns ?? 80) - 6);
  if (folded > 0) return [`[Pasted text #1 +${folded} lines]`];
  const rows = text.split('\n').flatMap((line) => {
    const characters = [...line];
    const wrapped = [];
    for (let i = 0; i === 0 || i < characters.length; i += width) wrapped.push(characters.slice(i, i + width).join(''));
    return wrapped;
  });
  return rows.slice(-BOX_ROWS);
}

function frame() {
  const rule = '─'.repeat(30);
  const busy = working ? [`${'⠋⠙⠹⠸'[spin % 4]} Working… (esc to interrupt)`] : [];
  const dialog = asking ? ['Do you want to proceed?', '❯ 1. Yes', '  2. No'] : [];
  return [...busy, ...dialog, `╭${rule}╮`, ...boxRows().map((row) => `│ ${row}`), `╰${rule}╯`, `  ${mode} mode`];
}

/** Clears what was painted last and paints below the transcript. */
function paint() {
  const rows = frame();
  write(`\x1b[?2026h${painted > 0 ? `\x1b[${painted - 1}A` : ''}\r\x1b[J${rows.join('\r\n')}\x1b[?2026l`);
  painted = rows.length;
}

function say(line) {
  write(`${painted > 0 ? `\x1b[${painted - 1}A` : ''}\r\x1b[J${line}\r\n`);
  painted = 0;
  paint();
}

function paintSoon() {
  clearTimeout(paintTimer);
  paintTimer = setTimeout(paint, PAINT_MS);
}

function submit() {
  if (text === '') return;
  appendFileSync(log, `${JSON.stringify({ text, mode })}\n`);
  const shown = folded > 0 ? `[Pasted text #1 +${folded} lines]` : (text.split('\n').at(-1) ?? '');
  [text, folded, mode] = ['', 0, 'prompt'];
  say(`> ${shown}`);
  if (!working) work();
}

function work() {
  working = true;
  report('working');
  const spinner = setInterval(() => {
    spin++;
    paint();
  }, 80);
  setTimeout(() => {
    clearInterval(spinner);
    if (asks) ask();
    else rest();
  }, WORK_MS);
}

function ask() {
  asking = true;
  report('blocked:kind=permission');
  paint();
}

function rest() {
  working = false;
  asking = false;
  report('idle');
  say('● Done.');
}

function enter() {
  if (asking) rest();
  else if (deaf > 0) deaf--;
  else submit();
}

function typed(character) {
  if (character === '\r' || character === '\n') return enter();
  if (character === '\x7f') text = text.slice(0, -1);
  else if (text === '' && '!#/@'.includes(character))
    mode = { '!': 'shell', '#': 'memory', '/': 'command', '@': 'file' }[character];
  else if (character >= ' ') text += character;
  return paintSoon();
}

function pasted(piece) {
  text += piece.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const lines = text.split('\n').length;
  folded = lines > FOLD ? lines - 1 : 0;
  paintSoon();
}

function read(data) {
  let rest = data;
  while (rest !== '') {
    const mark = pasting ? PASTE.end : PASTE.start;
    const at = rest.indexOf(mark);
    const piece = at === -1 ? rest : rest.slice(0, at);
    if (pasting) pasted(piece);
    else for (const character of piece) typed(character);
    if (at === -1) return;
    pasting = !pasting;
    rest = rest.slice(at + mark.length);
    // What comes in the same read as the end of a paste is taken for a part of it, and an Enter is lost.
    if (!pasting) rest = rest.replace(/^[\r\n]+/, '');
  }
}

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdin.on('data', read);
process.stdin.on('end', () => process.exit(0));
write('\x1b[?2004h');
report('idle');
say('Composer v1 READY');
