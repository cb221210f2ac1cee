import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { signalProcess } from './signal.js';

it('reaches the process that is meant, and nobody else who has its number', async () => {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  expect(signalProcess({ pid, isSame: () => false }, 'SIGKILL')).toBe(false);
  expect(child.killed || child.exitCode !== null).toBe(false);
  expect(signalProcess({ pid, isSame: () => true }, 'SIGTERM')).toBe(true);
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  expect(signalProcess({ pid, isSame: () => true }, 'SIGKILL')).toBe(false);
});

it('never reaches a whole group of ours or everybody by a number that is none', () => {
  for (const pid of [0, 1, -1, Number.NaN]) {
    expect(() => signalProcess({ pid, isSame: () => true }, 'SIGKILL')).toThrow('not the id of a process');
  }
});
