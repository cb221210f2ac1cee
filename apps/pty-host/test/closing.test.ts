import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { PatternSearch } from '../src/pattern-search.js';
import { HeadlessScreen } from '../src/screen/headless-screen.js';
import { Waits } from '../src/waits.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Two hundred terminals, so many at a time: a test has not the memory for all of them at once. */
const ROUNDS = 8;
const TERMINALS = 25;
const LINES = Buffer.from(Array.from({ length: 10_000 }, (_, i) => `line ${i}\r\n`).join(''));
const events = { title() {}, cwd() {}, bell() {}, reply() {} };

describe('screens that are closed', () => {
  it('B13: give their memory back, two hundred of ten thousand lines', () => {
    openAndClose();
    const before = memory();
    for (let round = 0; round < ROUNDS; round++) openAndClose();
    expect(memory()).toBeLessThan(before * 1.1);
  });
});

function openAndClose(): void {
  const search = new PatternSearch();
  const open = Array.from({ length: TERMINALS }, () => {
    const screen = new HeadlessScreen({ cols: 20, rows: 24, scrollback: 10_000, events });
    const waits = new Waits(search);
    screen.mark();
    screen.write(LINES);
    waits.parsed(screen, LINES.length);
    return { screen, waits };
  });
  for (const { screen, waits } of open) {
    waits.close(new Error('closed'));
    screen.dispose();
  }
}

/** The cells of a screen are in array buffers. */
function memory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
