import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadlessScreen } from './headless-screen.js';
import { CELL_WORDS, mostBytes, packLine, unpackLine } from './line-bytes.js';

const RUNS = Number(process.env['SWITCHYARD_PACKING_RUNS'] ?? 60);
const SCROLLBACK = 40;

function screen(cols: number, rows: number) {
  const told: string[] = [];
  const tell = (what: string) => (text?: string) => void told.push(`${what} ${text ?? ''}`);
  const events = { title: tell('title'), cwd: tell('cwd'), bell: tell('bell'), reply: tell('reply') };
  const made = new HeadlessScreen({ cols, rows, scrollback: SCROLLBACK, events, now: () => 1000 });
  return { screen: made, told };
}

function pack(terminal: HeadlessScreen): void {
  while (terminal.packSome());
}

/** All that can be seen of a screen. Looking must not change what is seen next. */
function seen(terminal: HeadlessScreen) {
  const { cols, rows, rev, title, cwd, atRest, painting, appending, waitingBytes } = terminal;
  const facts = {
    cols,
    rows,
    rev,
    title,
    cwd,
    atRest,
    painting,
    appending,
    waitingBytes,
    voice: terminal.voice.save(),
  };
  const texts = [terminal.visibleText(), terminal.historyText(3), terminal.historyText(1e6), terminal.textSinceMark()];
  return { ...facts, texts, look: terminal.look(), paint: [...terminal.paint()], restore: terminal.restore() };
}

const csi = (...finals: string[]) =>
  fc
    .tuple(fc.array(fc.nat(30), { maxLength: 3 }), fc.constantFrom(...finals))
    .map(([params, final]) => `\x1b[${params.join(';')}${final}`);
const text = fc.constantFrom('plain words ', 'x'.repeat(70), '中文字', 'e\u0301', '👨‍👩‍👧', '🇩🇪', '\t', ' ', 'täxt');
const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.array(text, { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join('')}\r\n`) },
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: fc.nat(60).map((count) => `${'line\r\n'.repeat(count)}`) },
  { weight: 3, arbitrary: csi('A', 'B', 'C', 'D', 'H', 'J', 'K', 'L', 'M', 'P', '@', 'X', 'S', 'T', 'r', 'd', 'G') },
  { weight: 2, arbitrary: csi('m') },
  fc.constantFrom('\x1b[4:3m', '\x1b[38;2;1;2;3m', '\x1b[48;5;200m', '\x1b]8;;http://a.example\x07link\x1b]8;;\x07'),
  fc.constantFrom('\x1b[?1049h', '\x1b[?1049l', '\x1b[?47h', '\x1b[?47l', '\x1b7', '\x1b8', '\x1bM', '\x1bD', '\x1bc'),
  fc.constantFrom(
    '\x1b[3J',
    '\x1b[2J',
    '\x1b[?6h',
    '\x1b[?7l',
    '\x1b[!p',
    '\x1b[6n',
    '\x1b]2;name\x07',
    '\x07',
    '\x1b#8',
  ),
  fc.constantFrom('\x1b]9;4;1;5\x07', '\x1b[12', '\x1b]2;half', '\x1b[1"q', '\x1b[?2J', '\x1b[20b'),
);
type Step = (terminal: HeadlessScreen) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: bytes.map(
      (text): Step =>
        (terminal) =>
          terminal.write(Buffer.from(text)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.integer({ min: 2, max: 90 }), fc.integer({ min: 1, max: 30 })).map(
      ([cols, rows]): Step =>
        (terminal) =>
          terminal.resize(cols, rows),
    ),
  },
  fc.constant<Step>((terminal) => terminal.write(Buffer.from([0xe2, 0x82]))),
  fc.constant<Step>((terminal) => terminal.clearHistory()),
  fc.constant<Step>((terminal) => terminal.mark()),
  fc.constant<Step>((terminal) => terminal.unmark()),
);

describe('a screen whose lines are packed', () => {
  it('cannot be told from one whose lines are not, whatever is done to it between any two packings', {
    timeout: 20_000 + 100 * RUNS,
  }, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.infiniteStream(fc.boolean()), (steps, packs) => {
        const plain = screen(40, 10);
        const packed = screen(40, 10);
        pack(packed.screen);
        for (const doStep of steps) {
          doStep(plain.screen);
          doStep(packed.screen);
          // In pieces as well: output may come in the middle of it.
          if (packs.next().value) pack(packed.screen);
          else packed.screen.packSome();
          expect(seen(packed.screen)).toEqual(seen(plain.screen));
        }
        expect(packed.told).toEqual(plain.told);
      }),
      { numRuns: RUNS },
    );
  });

  it('stays packed while it is looked at, and only what is written to is unpacked', () => {
    const { screen: terminal } = screen(80, 24);
    for (let i = 0; i < 50; i++) terminal.write(Buffer.from(`line ${i}\r\n`));
    const before = seen(terminal);
    const awake = terminal.looseBytes;
    pack(terminal);
    expect(terminal.looseBytes).toBe(0);
    expect(seen(terminal)).toEqual(before);
    expect(terminal.looseBytes).toBe(0);
    terminal.write(Buffer.from('x'));
    expect(terminal.looseBytes).toBeGreaterThan(0);
    expect(terminal.looseBytes).toBeLessThan(awake / 10);
  });

  it('takes its lines out of their places, when it is full, without unpacking them', () => {
    const { screen: terminal } = screen(80, 24);
    const fill = () => terminal.write(Buffer.from('a line\r\n'.repeat(SCROLLBACK + 30)));
    fill();
    pack(terminal);
    fill();
    const loose = terminal.looseBytes;
    pack(terminal);
    fill();
    expect(terminal.looseBytes).toBe(loose);
  });
});

describe('a packed line', () => {
  it('has the same cells when it is unpacked', () => {
    const word = fc.oneof(fc.constant(0), fc.constant(0x400020), fc.integer({ min: 0, max: 0xffffffff }));
    const cell = fc.tuple(word, word, word);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, fc.integer({ min: 1, max: 5 })), { maxLength: 40 }), (runs) => {
        const cells = Uint32Array.from(
          runs.flatMap(([each, times]) => Array.from({ length: times }, () => each).flat()),
        );
        const count = cells.length / CELL_WORDS;
        const packed = new Uint8Array(7 + mostBytes(count));
        expect(packLine(cells, packed, 7)).toBeLessThanOrEqual(packed.length);
        const unpacked = new Uint32Array(cells.length).fill(99);
        unpackLine(packed, 7, unpacked);
        expect(unpacked).toEqual(cells);
      }),
    );
  });
});
