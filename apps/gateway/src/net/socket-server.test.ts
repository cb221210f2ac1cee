import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDeafListener } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenAt, type SocketServer } from './socket-server.js';

const uid = process.getuid?.() ?? 0;

describe('listenAt', () => {
  let dir: string;
  let path: string;
  const open: SocketServer[] = [];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sy-net-'));
    path = join(dir, 'gateway.sock');
  });
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const greet = (socket: Socket) => {
    socket.on('error', () => {}); // a probe hangs up without reading
    socket.end('hi');
  };
  const listen = async (at = path, folder: 'private' | 'shared' = 'private') => {
    const server = await listenAt({ path: at, folder, uid, accept: greet, onError: () => {} });
    open.push(server);
    return server;
  };
  const greeting = async (at = path) => {
    const socket = connect(at);
    const [data] = await once(socket, 'data');
    socket.destroy();
    return String(data);
  };
  /** A socket file whose listener was killed. */
  const leaveStaleSocket = async () => {
    const child = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(path)},()=>console.log(1))`,
    ]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  it('makes a socket that only its owner can use, in a folder only its owner can enter', async () => {
    await listen(join(dir, 'new', 'gateway.sock'));
    expect(lstatSync(join(dir, 'new')).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(dir, 'new', 'gateway.sock')).mode & 0o777).toBe(0o600);
  });

  it('leaves no other file and removes its own on close', async () => {
    const server = await listen();
    expect(await greeting()).toBe('hi');
    server.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('does not remove a socket that another process has put in its place', async () => {
    const server = await listen();
    unlinkSync(path);
    const other = createServer((socket) => socket.end('other')).listen(path);
    await once(other, 'listening');
    server.close();
    expect(await greeting()).toBe('other');
    other.close();
  });

  it('takes the place of a socket whose process was killed', async () => {
    await leaveStaleSocket();
    await listen();
    expect(await greeting()).toBe('hi');
  });

  it('refuses a path where another server answers', async () => {
    await listen();
    await expect(listen()).rejects.toThrow(/is occupied: another process listens there/);
    expect(await greeting()).toBe('hi');
  });

  it('C8: a listener whose accept queue is full counts as occupied and keeps its file', async () => {
    const deaf = await startDeafListener(path);
    await expect(listen()).rejects.toThrow(/is occupied: its listener is too busy/);
    expect(existsSync(path)).toBe(true);
    await deaf.stop();
  });

  it('lets exactly one of several servers have the path of a stale socket', async () => {
    await leaveStaleSocket();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => listen()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await greeting()).toBe('hi');
  });

  it('C9: names the limit when the path is too long', async () => {
    const deep = join(dir, 'd'.repeat(130), 'gateway.sock');
    await expect(listen(deep)).rejects.toThrow(/socket path is \d+ bytes long and this system allows 10\d/);
    expect(existsSync(join(dir, 'd'.repeat(130)))).toBe(false);
  });

  it('leaves a file that is not a socket alone', async () => {
    writeFileSync(path, 'precious');
    await expect(listen()).rejects.toThrow(/exists and is not a socket/);
    expect(lstatSync(path).size).toBe(8);
  });

  it('refuses a private folder that others can enter', async () => {
    chmodSync(dir, 0o750);
    await expect(listen()).rejects.toThrow(/its mode is 750; make it private with chmod 700/);
  });

  it('refuses a private folder that is a symbolic link', async () => {
    const link = join(dir, 'link');
    mkdirSync(join(dir, 'real'), { mode: 0o700 });
    symlinkSync(join(dir, 'real'), link);
    await expect(listen(join(link, 'gateway.sock'))).rejects.toThrow(/symbolic link/);
  });

  it('accepts a folder the user chose when others cannot replace files in it', async () => {
    chmodSync(dir, 0o755);
    await listen(path, 'shared');
    const sticky = join(dir, 'sticky');
    mkdirSync(sticky);
    chmodSync(sticky, 0o1777);
    await listen(join(sticky, 's'), 'shared');
    const open = join(dir, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    await expect(listen(join(open, 's'), 'shared')).rejects.toThrow(/others may replace files in it/);
  });
});
