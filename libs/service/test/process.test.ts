import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLifeline } from '../src/lifeline.js';

const APP = fileURLToPath(new URL('./fixtures/app.mjs', import.meta.url));

interface Hello {
  readonly method: string;
  readonly params: { name: string; pid: number; instance: string; state: string };
}

/** A supervisor's socket: notes who says what. */
class FakeSupervisor {
  readonly heard: Hello[] = [];
  /** Answers whoever stands by. */
  answer: (ok: boolean) => void = () => undefined;
  readonly #path: string;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  constructor(path: string) {
    this.#path = path;
  }

  get states(): string[] {
    return this.heard.map(({ params }) => params.state);
  }

  async start(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.setEncoding('utf8').on('data', (text) => {
        for (const line of String(text).split('\n').filter(Boolean)) this.#hear(JSON.parse(line), socket);
      });
      socket.on('error', () => undefined);
    }).listen(this.#path);
    await once(this.#server, 'listening');
  }

  #hear(hello: Hello, socket: Socket): void {
    this.heard.push(hello);
    if (hello.params.state === 'standby') this.answer = (ok) => socket.write(`${JSON.stringify({ id: 1, ok })}\n`);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    if (this.#server === undefined) return;
    this.#server.close();
    await once(this.#server, 'close');
    this.#server = undefined;
  }
}

describe('a process of the yard', () => {
  let dir: TempDir;
  let supervisor: FakeSupervisor;
  const ends: (() => unknown)[] = [];
  beforeEach(async () => {
    dir = tempDir('sy-life');
    supervisor = new FakeSupervisor(join(dir.path, 'supervisor.sock'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await supervisor.stop();
    dir.remove();
  });

  const run = (mode: string, standsBy = false) => {
    const paths = { supervisorSocket: join(dir.path, 'supervisor.sock') };
    const SWITCHYARD_SERVICE = JSON.stringify({
      name: 'thing',
      service: 'keeper',
      paths,
      standsBy,
      settings: { log: { level: 'info' } },
    });
    const child = spawn(process.execPath, [APP], { env: { ...process.env, SWITCHYARD_SERVICE, MODE: mode } });
    const heard = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      heard.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      heard.err += text;
    });
    const exit = once(child, 'close').then(([code]) => code as number | null);
    ends.push(() => child.kill('SIGKILL'));
    const says = (line: string) => waitFor(line, () => heard.out.includes(line), { seen: () => heard });
    return { child, heard, exit, says };
  };

  it('tells the supervisor its state at every step, and stops in order on the first of many signals', async () => {
    await supervisor.start();
    const { child, exit, says, heard } = run('plain');
    await says('started false');
    await waitFor('ready', () => supervisor.states.includes('ready'));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) child.kill(signal);
    expect(await exit).toBe(0);
    expect(heard.out.match(/stop\n/g)).toHaveLength(1);
    expect(heard.out).toContain('stopped');
    await waitFor('the last word', () => supervisor.states.includes('stopped'));
    // One that starts within the time of a connection has nothing to say about its start.
    expect(supervisor.states.filter((state) => state !== 'starting')).toEqual(['ready', 'draining', 'stopped']);
    expect(supervisor.heard[0]).toMatchObject({ method: 'yard.hello', params: { name: 'thing', pid: child.pid } });
    for (const line of heard.err.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ name: 'thing' });
  });

  it('runs and stops without a supervisor', async () => {
    const { child, exit, says } = run('plain');
    await says('started');
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('can be stopped while it is still starting', async () => {
    await supervisor.start();
    const { child, exit } = run('slow');
    await waitFor('hello', () => supervisor.states.includes('starting'));
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it('that stands by begins when its supervisor says so, and not before', async () => {
    await supervisor.start();
    const { child, exit, says, heard } = run('plain', true);
    await waitFor('it stands by', () => supervisor.states.includes('standby'));
    expect(heard.out).toBe('');
    expect(supervisor.states).toEqual(['standby']);
    supervisor.answer(true);
    await says('started');
    await waitFor('ready', () => supervisor.states.includes('ready'));
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
  });

  it.each([
    ['is refused', () => supervisor.answer(false)],
    ['has lost its supervisor', () => supervisor.stop()],
  ])('that stands by and %s ends without having begun', async (_, happens) => {
    await supervisor.start();
    const { exit, heard } = run('plain', true);
    await waitFor('it stands by', () => supervisor.states.includes('standby'));
    await happens();
    expect(await exit).toBe(0);
    expect(heard.out).toBe('');
  });

  it('that is to stand by ends when there is no supervisor', async () => {
    const { exit, heard } = run('plain', true);
    expect(await exit).toBe(0);
    expect(heard.out).toBe('');
  });

  it.each(['fail', 'reject', 'throw'])(
    'leaves with code 70 and a line in the log when it comes to a fault: %s',
    async (mode) => {
      const { exit, heard } = run(mode);
      expect(await exit).toBe(70);
      expect(heard.err).toContain('"level":60');
    },
  );
});

describe('the lifeline', () => {
  it('finds a supervisor that comes, and one that comes again', async () => {
    const dir = tempDir('sy-life');
    const socket = join(dir.path, 'supervisor.sock');
    const log = { debug: () => undefined };
    const retry = { firstMs: 10, longestMs: 50 };
    const lifeline = openLifeline({ socket, name: 'thing', instance: 'i', log, retry });
    const first = new FakeSupervisor(socket);
    await first.start();
    await waitFor('a first hello', () => first.states.includes('starting'));
    await first.stop();
    lifeline.setState('ready');
    const second = new FakeSupervisor(socket);
    await second.start();
    await waitFor('a hello again, with the present state', () => second.states.includes('ready'));
    lifeline.close();
    await second.stop();
    dir.remove();
  });
});
