import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive, processesMentioning, processFacts, socketsUnder } from './processes.js';
import { tempDir } from './temp-dir.js';
import { waitFor } from './wait-for.js';

it('reads the facts of a process', () => {
  expect(processFacts(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect(processFacts(process.pid)?.rssBytes).toBeGreaterThan(1024 * 1024);
});

it('does not call a zombie alive', async () => {
  // The shell turns into a program that does not collect its child, which ends only then: a shell would collect it.
  const child = 'until grep -q sleep /proc/$shell/comm; do :; done';
  const script = `shell=$$; (${child}) & echo $!; exec sleep 100`;
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  await waitFor('the child is a zombie', () => processFacts(pid)?.state === 'Z');
  expect(isAlive(pid)).toBe(false);
  parent.kill();
  await once(parent, 'exit');
});

it('finds processes by their environment and sockets by their folder', async () => {
  const dir = tempDir();
  const child = spawn('sleep', ['100'], { env: { MARK: dir.path } });
  const server = createServer().listen(join(dir.path, 'a.sock'));
  await once(server, 'listening');
  await waitFor('the child runs', () => processesMentioning(dir.path).length === 1);
  expect(processesMentioning(dir.path)[0]).toEqual({ pid: child.pid, command: 'sleep 100' });
  expect(socketsUnder(dir.path)).toEqual([join(dir.path, 'a.sock')]);
  child.kill();
  server.close();
  await once(child, 'exit');
  expect(processesMentioning(dir.path)).toEqual([]);
  dir.remove();
});
