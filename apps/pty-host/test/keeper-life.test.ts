import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { LogReader } from '@switchyard/store/log';
import { isAlive, type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeeperClient } from '../src/keeper/keeper-client.js';
import { connected, ENV, startKeeper } from './keeper-kit.js';
import { spawnKeeper } from './support/keeper-process.js';

const SIZE = { cols: 80, rows: 24, cwd: '/', env: ENV };

let dir: TempDir;
let started: ChildProcess[] = [];
beforeEach(() => {
  dir = tempDir('sy-life');
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
  dir.remove();
});

describe('the keeper process', () => {
  it('on SIGTERM ends all terminals, writes how they ended, and exits with 0', async () => {
    const keeper = await startProcess(dir.path);
    const { pid } = await keeper.client.call('spawn', { surface_id: 'A', argv: ['/bin/cat'], ...SIZE });
    // Between fork and exec the child still has what its parent was started with.
    await waitFor('the program has its own environment', () => !environmentOf(pid).includes('SWITCHYARD_SERVICE'));
    keeper.client.close();
    keeper.child.kill('SIGTERM');
    expect(await once(keeper.child, 'exit')).toEqual([0, null]);
    expect(isAlive(pid)).toBe(false);
    expect(exitOf(keeper.logRoot, 'A')).toMatchObject({ signal: 'SIGHUP', reason: 'exited' });
    expect(existsSync(keeper.socket)).toBe(false);
  });

  it('after a crash finds the logs again, and says of the terminals that they are lost', async () => {
    const first = await startProcess(dir.path);
    await first.client.call('spawn', { surface_id: 'A', argv: ['/bin/sh', '-c', 'echo kept; cat'], ...SIZE });
    await waitFor('output', () => readAll(first.logRoot, 'A') === 'kept\r\n');
    first.client.close();
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await startProcess(dir.path);
    const { terminals } = await second.client.call('list', {});
    expect(terminals).toMatchObject([
      { surface_id: 'A', offset: 6, exit: { exit_code: null, reason: 'lost', offset: 6 } },
    ]);
    expect(readAll(second.logRoot, 'A')).toBe('kept\r\n');
    const again = await second.client.call('spawn', { surface_id: 'A', argv: ['/bin/echo', 'more'], ...SIZE });
    expect(again).toMatchObject({ offset: 6, existed: false });
    await waitFor('more output', () => readAll(second.logRoot, 'A') === 'kept\r\nmore\r\n');
    second.client.close();
  });

  it('makes its socket, folders and files for this user only', async () => {
    const kit = await startKeeper();
    await kit.sh('modes', 'echo x');
    await kit.exit('modes');
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(kit.config.socket)).toBe('600');
    expect(mode(`${kit.config.logRoot}/modes`)).toBe('700');
    const files = ['00000000000000000000.log', 'meta.json', 'exit.json', 'journal.ndjson'];
    expect(files.map((name) => mode(`${kit.config.logRoot}/modes/${name}`))).toEqual(['600', '600', '600', '600']);
    await kit.stop();
  });
});

describe('its socket', () => {
  it('C8: is not taken from another that does not answer', async () => {
    const path = `${dir.path}/keeper.sock`;
    const silent = createServer().listen(path);
    await once(silent, 'listening');
    await expect(startKeeper({ root: dir.path })).rejects.toThrow('occupied');
    expect(existsSync(path)).toBe(true);
    silent.close();
  });

  it('is taken over when nobody listens any more', async () => {
    const path = `${dir.path}/keeper.sock`;
    const child = spawn(process.execPath, ['-e', `require('net').createServer().listen(${JSON.stringify(path)})`]);
    await waitFor('the socket', () => existsSync(path));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const kit = await startKeeper({ root: dir.path });
    await kit.stop();
  });

  it('is refused in a folder that others can enter', async () => {
    mkdirSync(`${dir.path}/open`, { mode: 0o755 });
    await expect(startKeeper({ root: `${dir.path}/open` })).rejects.toThrow('0700');
  });

  it('is not bound over a file', async () => {
    writeFileSync(`${dir.path}/keeper.sock`, 'mine');
    await expect(startKeeper({ root: dir.path })).rejects.toThrow('occupied');
    expect(readFileSync(`${dir.path}/keeper.sock`, 'utf8')).toBe('mine');
  });
});

describe('followers', () => {
  it('may die and stall while terminals print, and change nothing for the others', async () => {
    const kit = await startKeeper();
    const stalled = connect(kit.config.socket);
    stalled.write(
      '{"id":1,"op":"hello","version":1,"follower":"stalled"}\n{"id":2,"op":"follow","shard":0,"shards":1}\n',
    );
    const dying = connect(kit.config.socket);
    dying.write('{"id":1,"op":"follow","shard":0,"shards":1}\n');
    await once(dying, 'data');
    await kit.sh('flood', 'i=0; while [ $i -lt 50000 ]; do echo line $i; i=$((i+1)); done');
    dying.destroy();
    await kit.printed('flood', 'line 49999');
    expect(await kit.exit('flood')).toMatchObject({ exit_code: 0 });
    stalled.destroy();
    await kit.stop();
  });

  it('get the events of their own part of the surfaces', async () => {
    const kit = await startKeeper();
    const halves = [0, 1].map(() => new Set<string>());
    const clients = halves.map(
      (seen) =>
        new KeeperClient({
          socket: kit.config.socket,
          follower: 'half',
          onEvent: (event) => {
            if (event.ev === 'exit') seen.add(event.surface_id);
          },
        }),
    );
    await Promise.all(clients.map((client) => connected(client)));
    await Promise.all(clients.map((client, shard) => client.call('follow', { shard, shards: 2 })));
    const ids = Array.from({ length: 12 }, (_, i) => `half-${i}`);
    await Promise.all(ids.map((id) => kit.sh(id, 'true')));
    await waitFor('every exit is told once', () => (halves[0]?.size ?? 0) + (halves[1]?.size ?? 0) === ids.length);
    expect(new Set(halves.flatMap((seen) => [...seen])).size).toBe(ids.length);
    expect(Math.min(...halves.map((seen) => seen.size))).toBeGreaterThan(0);
    for (const client of clients) client.close();
    await kit.stop();
  });

  it('are answered, whatever they send', async () => {
    const kit = await startKeeper();
    const raw = connect(kit.config.socket);
    const lines: string[] = [];
    raw.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')));
    const odd = [
      'nonsense',
      '[]',
      '{"id":7,"op":"toString"}',
      '{"id":8,"op":"ack"}',
      '{"id":9,"op":"hello","version":99}',
    ];
    raw.write(`${odd.join('\n')}\n{"id":10,"op":"hello","version":1,"follower":"\\u0000"}\n`);
    await waitFor('all answers', () => lines.length === 6);
    const codes = lines.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.code]);
    expect(codes).toEqual([
      [null, 'parse_error'],
      [null, 'method_not_found'],
      [7, 'method_not_found'],
      [8, 'invalid_params'],
      [9, 'version_mismatch'],
      [10, 'invalid_params'],
    ]);
    raw.destroy();
    await kit.stop();
  });

  it('find the keeper again when it comes back, and are told that a call was lost', async () => {
    const first = await startProcess(dir.path);
    await first.client.call('spawn', { surface_id: 'busy', argv: ['/bin/sh', '-c', `trap '' HUP; sleep 60`], ...SIZE });
    const lost = expect(first.client.call('close', { surface_id: 'busy' })).rejects.toMatchObject({
      code: 'connection_closed',
    });
    const back = new Promise<void>((resolve) => first.client.onConnect(resolve));
    first.child.kill('SIGKILL');
    await lost;
    const second = await startProcess(dir.path);
    await back;
    expect((await first.client.call('list', {})).terminals).toMatchObject([
      { surface_id: 'busy', exit: { reason: 'lost' } },
    ]);
    first.client.close();
    second.client.close();
  });
});

async function startProcess(
  root: string,
): Promise<{ child: ChildProcess; client: KeeperClient; logRoot: string; socket: string }> {
  const { child, paths } = spawnKeeper(root);
  started.push(child);
  const client = new KeeperClient({ socket: paths.keeperSocket, follower: 'test', onEvent: () => undefined });
  await connected(client);
  return { child, client, logRoot: `${paths.stateDir}/terminals`, socket: paths.keeperSocket };
}

function readAll(logRoot: string, surfaceId: string): string {
  const reader = new LogReader(logRoot, surfaceId);
  try {
    return reader.read(0, 1_000_000).data.toString();
  } finally {
    reader.close();
  }
}

function exitOf(logRoot: string, surfaceId: string): unknown {
  return new LogReader(logRoot, surfaceId).exit();
}

function environmentOf(pid: number): string {
  return readFileSync(`/proc/${pid}/environ`, 'utf8');
}
