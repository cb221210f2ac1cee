import { setTimeout as nextTurn } from 'node:timers/promises';
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
/** Code is compiled, and caches have their size. */
const WARM_UP = 2;
const LINES = Buffer.from(Array.from({ length: 10_000 }, (_, i) => `line ${i}\r\n`).join(''));
const events = { title() {}, cwd() {}, bell() {}, reply() {} };

describe('screens that are closed', () => {
  it('B13: give their memory back, two hundred of ten thousand lines', async () => {
    for (let round = 0; round < WARM_UP; round++) openAndClose();
    const before = await settledMemory();
    for (let round = 0; round < ROUNDS; round++) openAndClose();
    expect(await settledMemory()).toBeLessThan(before * 1.1);
  });
});

const search = new PatternSearch();

function openAndClose(): void {
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

/** Some is given back only once the loop has turned: asked until there is no less any more. */
async function settledMemory(): Promise<number> {
  for (let before = Number.POSITIVE_INFINITY, now = memory(); ; before = now, now = memory()) {
    if (now > before * 0.99) return before;
    await nextTurn();
  }
}

/** The cells of a screen are in array buffers. */
function memory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
