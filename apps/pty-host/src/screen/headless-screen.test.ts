import { describe, expect, it } from 'vitest';
import { HeadlessScreen } from './headless-screen.js';
import type { ScreenEvents } from './screen.js';

const quiet: ScreenEvents = { title() {}, cwd() {}, bell() {}, reply() {} };

function screen(cols = 80, rows = 24, events: Partial<ScreenEvents> = {}, scrollback = 10_000): HeadlessScreen {
  return new HeadlessScreen({ cols, rows, scrollback, events: { ...quiet, ...events } });
}

/** A fresh terminal into which the snapshot of another was painted. */
function repaint(from: HeadlessScreen): HeadlessScreen {
  const copy = screen(from.cols, from.rows);
  for (const piece of from.paint()) copy.write(Buffer.from(piece));
  return copy;
}

/** Column of the cursor, as the terminal itself reports it. */
function cursorColumn(bytes: string | Buffer): number {
  let report = '';
  const terminal = screen(80, 24, { reply: (text) => (report += text) });
  terminal.write(Buffer.from(bytes));
  terminal.write(Buffer.from('\x1b[6n'));
  return Number(/;(\d+)R/.exec(report)?.[1]) - 1;
}

describe('a snapshot of a full scrollback', () => {
  it.each([0, 7])('has nothing at the cursor that is not there, with the pen set to %s', (pen) => {
    const terminal = screen(20, 4, {}, 10);
    for (let i = 0; i < 40; i++) terminal.write(Buffer.from(`line ${i}\r\n`));
    terminal.write(Buffer.from(`\x1b[${pen}m`));
    expect(repaint(terminal).historyText(99)).toBe(terminal.historyText(99));
    terminal.resize(20, 9);
    terminal.write(Buffer.from('\x1b[H'));
    terminal.resize(20, 2);
    const [copy, text] = [repaint(terminal), Buffer.from('x')];
    copy.write(text);
    terminal.write(text);
    expect([...copy.paint()]).toEqual([...terminal.paint()]);
  });
});

describe('text', () => {
  it('B1: a character whose bytes come in two pieces is one character', () => {
    const terminal = screen();
    terminal.write(Buffer.from([0x41, 0xe2]));
    expect(terminal.waitingBytes).toBe(1);
    terminal.write(Buffer.from([0x82, 0xac, 0x20, 0x42]));
    expect(terminal.visibleText()).toBe('A€ B');
  });

  it('B2: bytes that are not UTF-8 are shown as replacement characters', () => {
    const terminal = screen();
    terminal.write(Buffer.from([0xff, 0xfe, 0x78]));
    expect(terminal.visibleText()).toBe('\ufffd\ufffdx');
  });

  it.each([
    ['✅', 2],
    ['😀', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['🇩🇪🇫🇷', 4],
    ['❤️', 2],
    ['👍🏽', 2],
    ['中', 2],
    ['e\u0301', 1],
    ['1\ufe0f\u20e3', 2],
    ['한', 2],
    ['\u1112\u1161\u11ab', 2],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['🏳️‍🌈', 2],
    ['☝🏽', 2],
    ['a👍', 3],
    ['a\u200bb', 2],
  ])('B3: %s takes the cells that a person sees', (text, columns) => {
    expect(cursorColumn(text)).toBe(columns);
  });

  it('B3: widths do not depend on how the bytes are cut', () => {
    const family = Buffer.from('👨‍👩‍👧‍👦|');
    const terminal = screen();
    for (const byte of family) terminal.write(Buffer.from([byte]));
    expect(terminal.visibleText()).toBe('👨‍👩‍👧‍👦|');
  });

  it('B11: wide characters read without extra spaces, also across a wrap', () => {
    const terminal = screen(5, 4);
    terminal.write(Buffer.from('中文字符'));
    expect(terminal.visibleText()).toBe('中文字符');
    expect(repaint(terminal).visibleText()).toBe('中文字符');
  });

  it('joins wrapped rows and drops blank rows at the end', () => {
    const terminal = screen(10, 5);
    terminal.write(Buffer.from('0123456789abcdef\r\nnext\r\n\r\n'));
    expect(terminal.visibleText()).toBe('0123456789abcdef\nnext');
  });

  it('reads the last lines of the history', () => {
    const terminal = screen(20, 3);
    for (let i = 1; i <= 50; i++) terminal.write(Buffer.from(`line ${i}\r\n`));
    expect(terminal.historyText(2)).toBe('line 49\nline 50');
    expect(terminal.historyText(1000).split('\n')).toHaveLength(50);
    expect(terminal.visibleText()).toBe('line 49\nline 50');
  });

  it('B12: a read right after a large write sees all of it', () => {
    const terminal = screen();
    terminal.write(Buffer.from(`${'x'.repeat(78)}\r\n`.repeat(13_000)));
    terminal.write(Buffer.from('end'));
    expect(terminal.visibleText().endsWith('end')).toBe(true);
  });

  it('empties the history and keeps the screen', () => {
    const terminal = screen(20, 3);
    for (let i = 1; i <= 50; i++) terminal.write(Buffer.from(`line ${i}\r\n`));
    terminal.write(Buffer.from('\x1b[3'));
    terminal.clearHistory();
    expect(terminal.historyText(1000)).toBe('line 49\nline 50');
    terminal.write(Buffer.from('1mred'));
    expect(terminal.visibleText()).toBe('line 49\nline 50\nred');
  });

  it('gives the text since a mark, however far it has scrolled', () => {
    const terminal = screen(20, 3, {}, 100);
    terminal.write(Buffer.from('before\r\n'.repeat(10)));
    terminal.mark();
    terminal.write(Buffer.from('one\r\ntwo\r\nthree\r\nfour\r\nfive'));
    expect(terminal.textSinceMark()).toBe('before\nbefore\none\ntwo\nthree\nfour\nfive');
    terminal.write(Buffer.from('\r\nflood'.repeat(200)));
    expect(terminal.textSinceMark()).toContain('flood');
  });
});

describe('resize', () => {
  it('B4: the line that holds the cursor survives a narrower and back', () => {
    const terminal = screen(5, 4);
    terminal.write(Buffer.from('ABCD'));
    terminal.resize(3, 4);
    terminal.resize(5, 4);
    expect(terminal.visibleText()).toBe('ABCD');
  });

  it('B6: every numbered line is there once after many resizes in mid-flood', () => {
    const terminal = screen(80, 24, {}, 30_000);
    for (let i = 1; i <= 10_000; i++) {
      terminal.write(Buffer.from(`number ${i}\r\n`));
      if (i % 50 === 0) terminal.resize(20 + ((i * 7) % 61), 24);
    }
    const lines = terminal.historyText(20_000).split('\n');
    expect(lines).toEqual(Array.from({ length: 10_000 }, (_, i) => `number ${i + 1}`));
  });

  it('B15: a snapshot of the old size and a screen of one row are no trouble', () => {
    const terminal = screen(20, 10);
    terminal.write(Buffer.from('a\r\n'.repeat(9)));
    const pieces = [...terminal.paint()];
    terminal.resize(20, 1);
    for (const piece of pieces) terminal.write(Buffer.from(piece));
    expect(terminal.rows).toBe(1);
  });

  it('never has less than two columns, which xterm needs for wide characters', () => {
    const terminal = screen(10, 4);
    terminal.resize(1, 1);
    terminal.write(Buffer.from('中'));
    expect([terminal.cols, terminal.rows]).toEqual([2, 1]);
  });
});

describe('snapshot', () => {
  it('B8: modes that the emulator does not keep are in the snapshot', () => {
    const terminal = screen();
    terminal.write(Buffer.from('\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[?1h\x1b[>7u'));
    terminal.write(Buffer.from(`${'x'.repeat(70)}\r\n`.repeat(30_000)));
    const { modes } = repaint(terminal);
    expect([...modes.decModes]).toEqual([
      [25, false],
      [2004, true],
      [1000, true],
      [1006, true],
      [1, true],
    ]);
    expect(modes.keyboard.main).toEqual([0, 7]);
  });

  it('B9: a reset of the terminal forgets the modes of the program before', () => {
    const terminal = screen();
    terminal.write(Buffer.from('\x1b[?1003h\x1b[?1006h\x1b[>1u\x1b[?1049h\x1bc$ '));
    expect([...terminal.modes.decModes]).toEqual([]);
    expect(terminal.modes.keyboard.main).toEqual([0]);
    expect([...terminal.paint()].join('')).not.toMatch(/\?1003h|\?1049h/);
  });

  it('B10: the screen below the alternate one comes back in the copy', () => {
    const terminal = screen(10, 4);
    terminal.write(Buffer.from('1\x1b[?1049h\x1b[H2'));
    const copy = repaint(terminal);
    expect(copy.visibleText()).toBe('2');
    copy.write(Buffer.from('\x1b[?1049l3'));
    expect(copy.visibleText()).toBe('13');
  });

  it('B14: odd sequences of marks and joiners survive save and restore', () => {
    const terminal = screen(40, 8);
    const odd = ['e\u0301a\u0308', '\u200d', `o${'\u0301'.repeat(40)}`, '\ufe0f', 'x\ufe0f', '\u200d👍', '🏽', '🇩'];
    terminal.write(Buffer.from(odd.join('\r\n')));
    const copy = repaint(terminal);
    expect(copy.visibleText()).toBe(terminal.visibleText());
    expect(terminal.visibleText()).toContain(`o${'\u0301'.repeat(40)}`);
  });

  it('continues exactly where the original would, at every column of a wrapping line', () => {
    for (let length = 1; length <= 25; length++) {
      const terminal = screen(10, 4);
      terminal.write(Buffer.from(`\x1b[31m${'中'.repeat(length % 3)}${'abcdefghij'.repeat(3).slice(0, length)}`));
      const copy = repaint(terminal);
      for (const each of [terminal, copy]) each.write(Buffer.from('+next\x1b[0m'));
      expect(copy.historyText(100)).toBe(terminal.historyText(100));
      expect([...copy.paint()].join('')).toBe([...terminal.paint()].join(''));
    }
  });

  it('keeps a long scrollback, blank rows and the place of the cursor', () => {
    const terminal = screen(30, 5);
    for (let i = 0; i < 2000; i++)
      terminal.write(Buffer.from(`\x1b[4${i % 8}mrow ${i}${i % 3 ? '' : ' long'.repeat(9)}\x1b[m\r\n`));
    terminal.write(Buffer.from('\x1b[2J\x1b[2;3H'));
    const copy = repaint(terminal);
    for (const each of [terminal, copy]) each.write(Buffer.from('here\r\nnext'));
    expect(copy.historyText(5000)).toBe(terminal.historyText(5000));
    expect(copy.visibleText()).toBe('\n  here\nnext');
  });

  it('keeps region, origin mode, line drawing and insert mode', () => {
    const terminal = screen(20, 6);
    terminal.write(Buffer.from('top\x1b[2;4r\x1b[?6h\x1b[2;1Hmid\x1b(0\x1b[4h\x1b[1D'));
    const copy = repaint(terminal);
    for (const each of [terminal, copy]) each.write(Buffer.from('q\r\n\n\nend'));
    expect(copy.visibleText()).toBe(terminal.visibleText());
  });

  it('undoes every mode with its epilogue', () => {
    const terminal = screen();
    terminal.write(
      Buffer.from(
        '\x1b[?1049h\x1b[>5u\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?1004h\x1b[5 q\x1b[>4;2m\x1b]11;#102030\x07\x1b(0\x1b[4h\x1b=',
      ),
    );
    const client = repaint(terminal);
    client.write(Buffer.from(terminal.restore()));
    const { modes } = client;
    expect([...modes.decModes, ...modes.charsets, ...modes.colours]).toEqual([]);
    expect(modes).toMatchObject({ altScreen: null, insert: false, cursorStyle: 0, modifyOtherKeys: 0 });
    expect(modes.keyboard).toEqual({ main: [0], alt: [0] });
  });
});

describe('events', () => {
  it('tells title, directory, bell and replies', () => {
    const told: string[] = [];
    const terminal = screen(80, 24, {
      title: (text) => told.push(`title ${text}`),
      cwd: (path) => told.push(`cwd ${path}`),
      bell: () => told.push('bell'),
      reply: (text) => told.push(`reply ${JSON.stringify(text)}`),
    });
    terminal.write(Buffer.from('\x1b]0;hello\x07\x1b]7;file://localhost/tmp/a%20b\x1b\\\x07\x1b[5n'));
    expect(told).toEqual(['title hello', 'cwd /tmp/a b', 'bell', 'reply "\\u001b[0n"']);
    expect([terminal.title, terminal.cwd]).toEqual(['hello', '/tmp/a b']);
  });

  it('knows when it is between two sequences', () => {
    const terminal = screen();
    expect(terminal.atRest).toBe(true);
    for (const half of ['\x1b', '[3', '1']) {
      terminal.write(Buffer.from(half));
      expect(terminal.atRest).toBe(false);
    }
    terminal.write(Buffer.from('m'));
    expect(terminal.atRest).toBe(true);
    terminal.write(Buffer.from('\x1b]0;ti'));
    expect(terminal.atRest).toBe(false);
  });
});
