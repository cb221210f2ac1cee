import { describe, expect, it } from 'vitest';
import { plainLines } from '../domain/plain-text.js';
import { HeadlessScreen } from './headless-screen.js';

const events = { title() {}, cwd() {}, bell() {}, reply() {} };
const screenOf = (text: string) => {
  const screen = new HeadlessScreen({ cols: 7, rows: 4, scrollback: 100, events });
  screen.write(Buffer.from(text));
  return screen;
};

describe('a screen to which text can only add', () => {
  it('is one whose cursor is on an empty line with nothing below it', () => {
    expect(screenOf('').appending).toBe(true);
    expect(screenOf('one\r\n').appending).toBe(true);
    expect(screenOf('1\r\n2\r\n3\r\n4\r\n5\r\n').appending).toBe(true);
    expect(screenOf('\x1b[31mred\x1b[m\r\n').appending).toBe(true);
  });

  it.each([
    ['half a line', 'one'],
    ['a line that would be overwritten', 'one\r'],
    ['text below the cursor', 'one\r\ntwo\x1b[H'],
    ['the end of a line that was wrapped', 'longer than\r'],
    ['half a control sequence', '\x1b['],
    ['half a character', '\xc3'],
    ['the alternate screen', '\x1b[?1049h'],
    ['a scroll region', '\x1b[2;3r'],
    ['insert mode', '\x1b[4h'],
    ['no autowrap', '\x1b[?7l'],
    ['line drawing characters', '\x1b(0'],
  ])('is not one with %s', (_what, text) => {
    const screen = screenOf('');
    screen.write(Buffer.from(text, 'latin1'));
    expect(screen.appending).toBe(false);
  });

  it('shows no text after plain lines that was neither there nor in them', () => {
    const random = randomFrom(1);
    const pieces = [
      'a',
      'b',
      'ab',
      'a b',
      '\r\n',
      '\r\n',
      '\r',
      '\x1b[A',
      '\x1b[P',
      '\x1b[2K',
      '\x1b[H',
      '\x1b[4h',
      '\x1b[4l',
    ];
    const pick = () => pieces[Math.floor(random() * pieces.length)] ?? '';
    let skipped = 0;
    for (let run = 0; run < 1000; run++) {
      const screen = screenOf('');
      for (let step = 0; step < 30; step++) {
        const output = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 6) }, pick).join(''));
        const before = screen.historyText(200);
        const added = screen.appending ? plainLines(output) : undefined;
        screen.write(output);
        if (added === undefined || added.includes('ab') || before.includes('ab')) continue;
        skipped++;
        expect(screen.historyText(200)).not.toContain('ab');
      }
    }
    expect(skipped).toBeGreaterThan(50);
  });
});

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
