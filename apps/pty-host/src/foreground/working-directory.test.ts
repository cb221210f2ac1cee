import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { workingDirectory } from './working-directory.js';

const dir = tempDir('sy-cwd');
afterAll(() => dir.remove());

/** A process in a folder, until the test ends. */
async function sleeperIn(name: string): Promise<{ pid: number; folder: string; end: () => void }> {
  const folder = join(dir.path, name);
  mkdirSync(folder);
  const child = spawn('sleep', ['60'], { cwd: folder });
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('sleep does not run');
  return { pid: child.pid, folder, end: () => child.kill() };
}

describe.skipIf(process.platform !== 'linux')('the directory of a process', () => {
  it('is where the system says that it is, also after it was renamed', async () => {
    const { pid, folder, end } = await sleeperIn('here');
    expect(workingDirectory(pid)).toEqual({ path: folder, exists: true });
    renameSync(folder, join(dir.path, 'there'));
    expect(workingDirectory(pid)).toEqual({ path: join(dir.path, 'there'), exists: true });
    end();
  });

  it('F6: is gone once it was deleted, even if another has taken its place', async () => {
    const { pid, folder, end } = await sleeperIn('worktree');
    rmSync(folder, { recursive: true });
    expect(workingDirectory(pid)).toEqual({ path: folder, exists: false });
    mkdirSync(folder);
    expect(workingDirectory(pid)).toEqual({ path: folder, exists: false });
    end();
  });

  it('is there although it is called as if it were not', async () => {
    const { pid, folder, end } = await sleeperIn('odd (deleted)');
    expect(workingDirectory(pid)).toEqual({ path: folder, exists: true });
    end();
  });

  it('is not known of a process that has ended', () => {
    expect(workingDirectory(2 ** 30)).toBeNull();
  });
});
