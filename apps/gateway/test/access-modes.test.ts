import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { connectClient } from '@switchyard/client';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway, Wire } from './harness.js';

const DENIED = /^ERROR: Access denied/;
const PING = '{"id":1,"method":"system.ping"}';

/** What a shell in a terminal does: starts a program that connects, asks, and says what it was told. */
const CLIENT = `const socket = require('node:net').connect(process.argv[1]);
socket.on('data', (chunk) => { process.stdout.write(chunk); socket.end(); });
socket.on('error', () => process.exit(1));
socket.write('${PING}\\n');`;
/** Stands for the keeper: listens where that does, and starts a shell that starts the client. */
const KEEPER = `const [keeperSocket, gatewaySocket] = process.argv.slice(1);
require('node:net').createServer().listen(keeperSocket, () => {
  const { CLIENT } = process.env;
  const shell = require('node:child_process').spawn('/bin/sh', ['-c', '"$0" -e "$CLIENT" "$1"; echo', process.execPath, gatewaySocket], { stdio: ['ignore', 'inherit', 'inherit'] });
  shell.on('exit', () => process.stdout.write('over\\n'));
});`;

let gateway: TestGateway | undefined;
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
});

describe('access mode off', () => {
  it('has no door for anybody', async () => {
    gateway = await startGateway({ access_mode: 'off' });
    for (const path of [gateway.path, gateway.guestPath]) {
      expect(existsSync(path)).toBe(false);
      await expect(connectClient(path)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
  });
});

describe('access mode descendants', () => {
  it('turns away a program that was started elsewhere, with a line that begins as that of the peer', async () => {
    gateway = await startGateway({ access_mode: 'descendants' });
    // Somebody listens there, but has not started this test.
    const keeper = spawn(process.execPath, ['-e', KEEPER, gateway.keeperPath, '/nowhere'], {
      env: { ...process.env, CLIENT: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(keeper.stdout, 'data');
    const wire = (await Wire.open(gateway.path)).send(PING);
    expect(await wire.readText()).toMatch(DENIED);
    await wire.ended;
    keeper.kill();
    await once(keeper, 'exit');
  });

  it('turns everybody away while there is no keeper', async () => {
    gateway = await startGateway({ access_mode: 'descendants' });
    const client = await connectClient(gateway.path);
    await expect(client.call('system.ping', {})).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/^Access denied/),
    });
    client.close();
  });

  it('lets in what was started in a terminal, however deep', async () => {
    gateway = await startGateway({ access_mode: 'descendants' });
    const keeper = spawn(process.execPath, ['-e', KEEPER, gateway.keeperPath, gateway.path], {
      env: { ...process.env, CLIENT },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    for await (const line of createInterface(keeper.stdout)) {
      if (line === 'over') break;
      lines.push(line);
    }
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 1, ok: true, result: { pong: true } });
    keeper.kill();
    await once(keeper, 'exit');
  });

  it('lets in nobody who only descends from the gateway', async () => {
    gateway = await startGateway({ access_mode: 'descendants' });
    const keeper = createServer().listen(gateway.keeperPath);
    await once(keeper, 'listening');
    // This test listens in place of the keeper: it is not its own descendant.
    const wire = await Wire.open(gateway.path);
    expect(await wire.readText()).toMatch(DENIED);
    await new Promise((resolve) => keeper.close(resolve));
  });

  it('leaves the socket for sandboxes to tokens, as ever', async () => {
    gateway = await startGateway({ access_mode: 'descendants' });
    const guest = await gateway.guest();
    expect(await guest.ask('system.ping')).toMatchObject({ error: { code: 'auth_required' } });
  });

  it('needs no login, and says which mode it is', async () => {
    gateway = await startGateway({ access_mode: 'descendants' });
    const client = CLIENT.replace(PING, '{"id":1,"method":"system.capabilities"}');
    const keeper = spawn(process.execPath, ['-e', KEEPER, gateway.keeperPath, gateway.path], {
      env: { ...process.env, CLIENT: client },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = await once(keeper.stdout, 'data');
    expect(String(chunk)).toContain('"access_mode":"descendants"');
    keeper.kill();
    await once(keeper, 'exit');
  });
});
