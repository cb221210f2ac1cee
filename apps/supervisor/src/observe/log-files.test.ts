import { appendFileSync, copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { type TempDir, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogFiles } from './log-files.js';

const SCAN = 1024 * 1024;
let dir: TempDir;
beforeEach(() => {
  dir = tempDir();
});
afterEach(() => dir.remove());

const ours = (time: number, msg: string, level = 30) => `${JSON.stringify({ level, time, msg })}\n`;
const put = (name: string, text: string) => appendFileSync(`${dir.path}/${name}.log`, text);
const open = (scan = SCAN) => new LogFiles(dir.path, scan);
const said = ({ entries }: { entries: readonly { message: string }[] }) => entries.map(({ message }) => message);

describe('the logs of a yard', () => {
  it('are read as one, in the order of time; a line without one follows the line before', () => {
    put('a', `${ours(10, 'a1')}  at crash.js:1\n${ours(30, 'a2')}`);
    put('b', ours(20, 'b1'));
    expect(said(open().last({ limit: 10 }))).toEqual(['a1', '  at crash.js:1', 'b1', 'a2']);
    expect(said(open().last({ limit: 1, each: true }))).toEqual(['b1', 'a2']);
    expect(said(open().last({ limit: 10, processes: ['b'] }))).toEqual(['b1']);
  });

  it('are filtered by level and time; what does not say its level is never left out', () => {
    put('a', ours(10, 'old', 50) + ours(20, 'chatter', 20) + ours(30, 'bad', 50));
    put('bus', '[7] 2026/01/02 03:04:05.000001 [INF] up\n[7] 2026/01/02 03:04:06.000001 [ERR] broken\nraw\n');
    expect(said(open().last({ limit: 10, level: 'error', since: 20 }))).toEqual(['bad', 'broken', 'raw']);
  });

  it('go on from where a reader was, whole lines only, page by page, none twice', () => {
    put('a', ours(1, 'a1'));
    const { position } = open().last({ limit: 10 });
    put('a', `${ours(2, 'a2')}${ours(4, 'a3')}{"level":30,"time":5,"msg":"ha`);
    put('b', ours(3, 'b1'));
    const first = open().after(position, { limit: 2 });
    expect([said(first), first.more]).toEqual([['a2', 'b1'], true]);
    put('a', 'lf"}\n');
    const second = open().after(first.position, { limit: 10 });
    expect([said(second), second.more]).toEqual([['a3', 'half'], false]);
    expect(said(open().after(second.position, { limit: 10 }))).toEqual([]);
  });

  it('lose nothing when a file that was full is emptied', () => {
    put('a', ours(1, 'a1'));
    const { position } = open().last({ limit: 10 });
    put('a', ours(2, 'a2') + ours(3, 'a3'));
    const file = `${dir.path}/a.log`;
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
    put('a', ours(4, 'a4'));
    expect(said(open().after(position, { limit: 10 }))).toEqual(['a2', 'a3', 'a4']);
    expect(said(open().last({ limit: 10 }))).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('are read only so far back as was said, beginning with a whole line', () => {
    writeFileSync(`${dir.path}/a.log`, Array.from({ length: 100 }, (_, i) => ours(i, `m${i}`)).join(''));
    const found = said(open(200).last({ limit: 100 }));
    expect(found.at(-1)).toBe('m99');
    expect(found.length).toBeGreaterThan(2);
    expect(found.length).toBeLessThan(7);
    expect(found.every((message) => /^m\d+$/.test(message))).toBe(true);
  });

  it('are none where no yard has ever been', () => {
    expect(new LogFiles(`${dir.path}/nowhere`, SCAN).last({ limit: 10 }).entries).toEqual([]);
  });
});
