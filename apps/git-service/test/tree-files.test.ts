import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markOf, NO_FILE, readInTree } from '../src/adapters/tree-files.js';

const LIMIT = 100;
const SECRET = 'of somebody else';

let dir: ReturnType<typeof tempDir>;
let top: string;
let outside: string;
beforeEach(() => {
  dir = tempDir('sy-tree');
  const folder = realpathSync(dir.path);
  [top, outside] = [join(folder, 'top'), join(folder, 'outside')];
  mkdirSync(join(top, 'in'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), SECRET);
});
afterEach(() => dir.remove());

const read = (path: string) => readInTree(top, Buffer.from(path), LIMIT);

describe('a file of a tree', () => {
  it('is read with its mode, up to the limit', async () => {
    writeFileSync(join(top, 'in/file'), 'text');
    chmodSync(join(top, 'in/file'), 0o755);
    writeFileSync(join(top, 'large'), 'x'.repeat(LIMIT + 1));
    expect(await read('in/file')).toMatchObject({
      found: { type: 'file', isExecutable: true, content: Buffer.from('text') },
    });
    expect(await read('large')).toMatchObject({ found: { type: 'too-large', isExecutable: false } });
    expect(await read('nowhere')).toBeNull();
    expect(await read('in')).toBeNull();
    expect(await read('in/file/x')).toBeNull();
  });

  it('F9: is never one outside, neither by a link in its place nor by one on the way there', async () => {
    symlinkSync(join(outside, 'file'), join(top, 'link'));
    symlinkSync(outside, join(top, 'folder'));
    expect(await read('link')).toMatchObject({
      found: { type: 'link', target: Buffer.from(join(outside, 'file')) },
    });
    expect(await read('folder/file')).toBeNull();
    expect(await read('../outside/file')).toBeNull();
  });

  it('does not hold up the reader when it is a pipe', async () => {
    execFileSync('mkfifo', [join(top, 'pipe')]);
    expect(await read('pipe')).toBeNull();
  });

  it('has another mark when it was changed, or when another one is in its place', async () => {
    const mark = async (path: string) => (await markOf(top, Buffer.from(path))).mark;
    expect(await mark('file')).toBe(NO_FILE);
    writeFileSync(join(top, 'file'), 'one');
    const first = await mark('file');
    writeFileSync(join(top, 'file'), 'two');
    const second = await mark('file');
    expect(second).not.toBe(first);
    writeFileSync(join(top, 'other'), 'two');
    renameSync(join(top, 'other'), join(top, 'file'));
    expect(await mark('file')).not.toBe(second);
    expect((await read('file'))?.mark).toBe(await mark('file'));
  });

  it('F9: is never one outside, however fast links come and go', async () => {
    writeFileSync(join(top, 'in/file'), 'inside');
    const swapping = spawn(
      'sh',
      [
        '-c',
        `while :; do
           mv in real; ln -s ${outside} in; rm in; mv real in
           ln -s ${outside}/file in/new; mv in/new in/file; printf inside > in/new; mv in/new in/file
         done`,
      ],
      { cwd: top },
    );
    try {
      for (let n = 0; n < 2000; n++) expect(JSON.stringify(contentOf(await read('in/file')))).not.toContain(SECRET);
    } finally {
      const gone = once(swapping, 'exit');
      swapping.kill('SIGKILL');
      await gone;
    }
  });
});

function contentOf(at: Awaited<ReturnType<typeof read>>): string | null {
  return at?.found.type === 'file' ? at.found.content.toString() : null;
}
