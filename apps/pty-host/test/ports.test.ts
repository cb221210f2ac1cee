import type { BusEvent, Params, Result } from '@switchyard/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, startHost } from './support/host.js';

let host: Host;
beforeAll(async () => {
  host = await startHost();
});
afterAll(async () => host.stop());

type Asked = 'terminal.ports' | 'terminal.send_text' | 'terminal.get' | 'terminal.wait';
const call = <M extends Asked>(method: M, params: Params<M>): Promise<Result<M>> =>
  host.bus.call(method, params, { address: 'local-0', timeoutMs: 30_000 });

/** Listens on a port of the system's choice, says which, and goes on until it reads something. */
const SERVER = `require('net').createServer().listen(0, '127.0.0.1', function () {
  console.log('port ' + this.address().port + ' open');
  process.stdin.once('data', () => process.exit());
});`;
const shell = (script: string) => ['/bin/sh', '-c', script];
const node = `'${process.execPath}'`;

async function portSaidIn(surface_id: string): Promise<number> {
  const asked = { surface_id, pattern: 'port \\d+ open', lines: 50, timeout_ms: 20_000 };
  const { match = '' } = await call('terminal.wait', asked);
  return Number(/\d+/.exec(match)?.[0]);
}

/** The next event about a terminal that passes. */
function nextPorts(surface_id: string, test: (ports: readonly number[]) => boolean) {
  return new Promise<BusEvent<'terminal.ports_changed'>>((resolve) => {
    const forget = host.bus.subscribe('terminal.ports_changed', (event) => {
      if (event.surface_id !== surface_id || !test(event.ports.map(({ port }) => port))) return;
      forget();
      resolve(event);
    });
  });
}

describe.skipIf(process.platform !== 'linux')('the ports of a terminal', () => {
  it('are told by themselves when a program that has printed listens, and when it no longer does', async () => {
    const surface_id = await host.open([process.execPath, '-e', SERVER, '/bin/sh']);
    const opened = nextPorts(surface_id, (ports) => ports.length === 1);
    const port = await portSaidIn(surface_id);
    const { ports } = await opened;
    expect(ports).toEqual([{ port, addresses: ['127.0.0.1'], pid: expect.any(Number), process: expect.any(String) }]);
    expect((await call('terminal.get', { surface_id })).ports).toEqual(ports);
  });

  it('are found anew when somebody asks, also of a process that has left the session of its terminal', async () => {
    const surface_id = await host.open(shell('read x'));
    const daemon = `SWITCHYARD_SURFACE_ID=${surface_id} setsid ${node} -e "${SERVER.replaceAll('\n', ' ')}"`;
    const other = await host.open(shell(`${daemon} & echo pid $! started; wait`));
    const said = await call('terminal.wait', { surface_id: other, pattern: 'pid \\d+', lines: 50, timeout_ms: 20_000 });
    const pid = Number(said.match?.split(' ')[1]);
    try {
      const port = await portSaidIn(other);
      const { ports } = await call('terminal.ports', { surface_id });
      expect(ports).toMatchObject([{ port, pid }]);
      expect((await call('terminal.ports', { surface_id: other })).ports).toEqual([]);
    } finally {
      // No terminal ends it.
      process.kill(pid);
    }
    await call('terminal.wait', { surface_id: other, exit: true, lines: 1, timeout_ms: 20_000 });
    expect((await call('terminal.ports', { surface_id })).ports).toEqual([]);
  });

  it('are those of the child that a shell runs, and end with it', async () => {
    const surface_id = await host.open(shell(`${node} -e "${SERVER.replaceAll('\n', ' ')}"; echo over; read x`));
    const port = await portSaidIn(surface_id);
    const { ports } = await call('terminal.ports', { surface_id });
    expect(ports.map((found) => found.port)).toEqual([port]);
    const closed = nextPorts(surface_id, (left) => left.length === 0);
    await call('terminal.send_text', { surface_id, text: '\r', paste: false });
    expect((await closed).ports).toEqual([]);
    expect((await call('terminal.ports', { surface_id })).ports).toEqual([]);
  });

  it('are not to be had of a terminal whose program has ended', async () => {
    const surface_id = await host.open(shell('exit 3'));
    await call('terminal.wait', { surface_id, exit: true, lines: 1, timeout_ms: 20_000 });
    await expect(call('terminal.ports', { surface_id })).rejects.toMatchObject({ code: 'terminal_exited' });
  });
});
