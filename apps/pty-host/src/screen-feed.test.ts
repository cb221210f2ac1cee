import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogWriter } from '@switchyard/store/log';
import { type TempDir, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Checkpoints } from './checkpoints.js';
import type { HeadlessScreen } from './screen/headless-screen.js';
import { ScreenFeed } from './screen-feed.js';
import type { Signal } from './signal-reader.js';

const SURFACE = 'SURFACE';
const BUDGET = 256 * 1024;
const events = { title() {}, cwd() {}, bell() {}, reply() {} };

let dir: TempDir;
let log: LogWriter;
let gaps: [number, number][];
/** What the feeds asked to be told, and what of it nobody has taken yet. */
let told: Signal[];
let untold: Signal[];
let feeding: ScreenFeed | undefined;

beforeEach(() => {
  dir = tempDir('sy-feed');
  log = new LogWriter({ root: dir.path, surfaceId: SURFACE, budgetBytes: BUDGET });
  gaps = [];
  told = [];
  untold = [];
  feeding = undefined;
});
afterEach(() => {
  log.close();
  dir.remove();
});

function checkpoints(): Checkpoints {
  return new Checkpoints({
    folder: log.folder,
    surfaceId: SURFACE,
    everyBytes: 1024,
    budgetBytes: BUDGET,
    signals: () => ({ unfinished: feeding?.signals.save() ?? [], untold }),
    onFault: (error) => expect.fail(String(error)),
  });
}

function open(given = checkpoints()): { feed: ScreenFeed; screen: HeadlessScreen } {
  const feed = new ScreenFeed({
    logRoot: dir.path,
    surfaceId: SURFACE,
    cols: 80,
    rows: 24,
    scrollback: 1000,
    events,
    onSignals: (found) => told.push(...found),
    onGap: (from, to) => gaps.push([from, to]),
    onFault: (error) => expect.fail(String(error)),
  });
  feeding = feed;
  feed.open(given.load(feed.log.start()));
  while (feed.paintSome());
  while (feed.parseSome(1000, false, 0).data.length > 0);
  return { feed, screen: shown(feed) };
}

function shown(feed: ScreenFeed): HeadlessScreen {
  return feed.screen ?? expect.fail('no screen');
}

function save(kind: 'full' | 'light', { feed, screen }: { feed: ScreenFeed; screen: HeadlessScreen }): Promise<void> {
  const keeping = checkpoints();
  return new Promise((resolve) => keeping.save(kind, screen, feed.parsed, resolve));
}

const print = (text: string) => log.append(Buffer.from(text));
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`.padStart(70, '.')).join('\r\n');

describe('a screen that is rebuilt', () => {
  it('parses each byte at the size for which it was written', () => {
    log.journal('spawn', 10, 5);
    print('0123456789abc\r\n');
    log.journal('resize', 5, 5);
    print('0123456');
    log.journal('resize', 20, 5);
    const { screen } = open();
    expect([screen.cols, screen.rows]).toEqual([20, 5]);
    expect(screen.historyText(10)).toBe('0123456789abc\n0123456');
  });

  it('begins with the checkpoint and replays what came later', async () => {
    print(`\x1b[?2004h\x1b[?25l\x1b]2;title\x07${numbers(1, 100)}`);
    await save('full', open());
    print(`\r\n${numbers(101, 120)}`);
    const { screen, feed } = open();
    expect(screen.historyText(1000)).toBe(numbers(1, 120).replaceAll('\r', ''));
    expect(screen.title).toBe('title');
    expect([...screen.modes.decModes.keys()]).toEqual([2004, 25]);
    expect(feed.parsed).toBe(log.end);
  });

  it('has what programs said of themselves from the checkpoint and from what came later', async () => {
    print('\x1b]7501;state=working:app=make\x07\x1b]7501;state=done:id=a\x07\x1b]9;4;1;10\x07');
    await save('full', open());
    print('\x1b]7501;state=blocked:id=b:kind=auth\x07');
    const { screen } = open();
    expect(screen.voice.records.all.map(({ id, state }) => [id, state])).toEqual([
      ['', 'working'],
      ['a', 'done'],
      ['b', 'blocked'],
    ]);
    expect(screen.voice.progress).toEqual({ state: 1, value: 10 });
    log.journal('spawn', 30, 10);
    print('next');
    expect(open().screen.voice.records.all).toMatchObject([{ id: 'a', state: 'done' }]);
  });

  it('B1: continues a character that the checkpoint has cut in two', async () => {
    log.append(Buffer.from([0x41, 0xe2]));
    await save('full', open());
    log.append(Buffer.from([0x82, 0xac]));
    expect(open().screen.visibleText()).toBe('A€');
  });

  it('does not save half a sequence', async () => {
    print('safe\x1b[3');
    const { feed, screen } = open();
    const keeping = checkpoints();
    keeping.changed(10_000);
    await keeping.finish(screen, feed.parsed);
    expect(keeping.peek()).toBeUndefined();
  });

  it('never counts its changes back', async () => {
    print('one');
    const first = open();
    await save('full', first);
    for (let i = 0; i < 50; i++) {
      print('.');
      first.feed.parseSome(1, false, 0);
    }
    expect(open().screen.rev).toBeGreaterThanOrEqual(first.screen.rev);
  });

  it.each([
    ['cut short', (path: string) => truncateSync(path, 300)],
    ['not one at all', (path: string) => writeFileSync(path, 'garbage')],
    ['of another version', (path: string) => writeFileSync(path, '{"version":999,"surface_id":"SURFACE","bytes":0}\n')],
  ])('ignores a checkpoint that is %s', async (_, spoil) => {
    print(numbers(1, 50));
    await save('full', open());
    spoil(join(log.folder, 'screen.checkpoint'));
    expect(open().screen.historyText(1000)).toBe(numbers(1, 50).replaceAll('\r', ''));
  });

  it('says what is missing when the log no longer begins at the beginning', () => {
    for (let i = 0; i < 10; i++) {
      print(`${numbers(i * 1000 + 1, i * 1000 + 1000)}\r\n`);
      log.ack(log.end);
    }
    const { screen } = open();
    expect(gaps).toEqual([[0, log.start]]);
    expect(screen.historyText(1)).toBe('10000'.padStart(70, '.'));
  });

  it('forgets the modes of a program when the next one starts', () => {
    print('one\x1b[?1049h\x1b[?1003h\x1b[4');
    log.journal('spawn', 30, 10);
    print('two');
    const { screen } = open();
    expect(screen.historyText(10)).toBe('one\ntwo');
    expect([...screen.modes.decModes]).toEqual([]);
    expect(screen.cols).toBe(30);
  });
});

describe('a terminal in flood', () => {
  it('is saved without its scrollback, which a restart has from the checkpoint before and the log', async () => {
    print(`\x1b[?2004h${numbers(1, 300)}`);
    await save('full', open());
    print(`\r\n${numbers(301, 600)}`);
    await save('light', open());
    print(`\r\n${numbers(601, 700)}`);
    const { screen } = open();
    expect(screen.historyText(2000)).toBe(numbers(1, 700).replaceAll('\r', ''));
    await save('light', open());
    expect(open().screen.modes.isOn(2004)).toBe(true);
  });

  it('is saved within what the log holds, and a silent one after the bytes that were set', () => {
    const keeping = checkpoints();
    expect(keeping.due(true, false)).toBeUndefined();
    keeping.changed(1024);
    expect(keeping.due(false, false)).toBeUndefined();
    expect(keeping.due(true, false)).toBe('full');
    keeping.changed(BUDGET / 2);
    expect(keeping.due(false, false)).toBe('light');
  });

  it('is saved when its program has ended, however little it printed', () => {
    const keeping = checkpoints();
    keeping.changed(1);
    expect(keeping.due(true, false)).toBeUndefined();
    expect(keeping.due(true, true)).toBe('full');
  });
});

describe('what the output asks to be told', () => {
  it('has the same offsets when it is parsed again, so that it is told once', async () => {
    print('\x1b]9;first\x07');
    const running = open();
    await save('full', running);
    print('text\x07\x1b]777;notify;Build;green\x1b\\');
    while (running.feed.parseSome(7, false, 0).data.length > 0);
    const before = told;
    expect(before.map(({ kind, offset }) => [kind, offset])).toEqual([
      ['notification', 10],
      ['bell', 15],
      ['notification', 40],
    ]);
    running.feed.close();
    told = [];
    open().feed.close();
    expect(told).toEqual(before.slice(1));
  });

  it('comes again from the checkpoint while nobody has taken it, and half of one goes on', async () => {
    print('\x1b]9;first\x07\x1b]99;i=1:d=0;Needs \x07');
    const running = open();
    untold = told;
    await save('full', running);
    running.feed.close();
    told = [];
    print('\x1b]99;i=1:d=1;you\x07');
    open().feed.close();
    expect(told).toMatchObject([
      { offset: 10, body: 'first' },
      { kind: 'notification', title: 'Needs you' },
    ]);
  });
});
