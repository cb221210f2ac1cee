import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { parentOf } from './parent-process.js';

it.skipIf(!['linux', 'darwin'].includes(process.platform))('tells who started a process', async () => {
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  expect(parentOf(child.pid ?? 0)).toBe(process.pid);
  expect(parentOf(process.pid)).toBe(process.ppid);
  expect(parentOf(2 ** 30)).toBeUndefined();
  child.kill();
  await once(child, 'exit');
});
