import { readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tempDir } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { logFileOf, openLog, rotateWhenFull } from './log-file.js';

const dir = tempDir();
afterEach(() => dir.remove());

describe('a log file', () => {
  it('is private, and bounded also for a process that never ends', () => {
    const file = logFileOf(dir.path, 'gateway');
    const fd = openLog(dir.path, 'gateway');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeSync(fd, 'old\n');
    rotateWhenFull(file, 4);
    writeSync(fd, 'new\n');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('old\n');
    writeFileSync(file, 'abc');
    rotateWhenFull(file, 4);
    expect(readFileSync(file, 'utf8')).toBe('abc');
  });
});
