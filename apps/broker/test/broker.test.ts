import { connect, type Socket } from 'node:net';
import { waitFor } from '@switchyard/testing';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Broker, build, type Limits } from '../src/index.js';

const TOKEN = 'for-tests-only';
const CONNECT = `CONNECT {"auth_token":"${TOKEN}"}\r\n`;
const INFO = /^INFO .*\r\n/;

/** What nats-server leaves to its configuration; the conformance suite of libs/bus has everything else. */
describe('the embedded broker', () => {
  const ends: (() => unknown)[] = [];
  const logged: string[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    logged.length = 0;
  });

  const start = async (limits: Partial<Limits> = {}): Promise<Broker> => {
    const note = (_facts: object, message: string) => logged.push(message);
    const log = { info: () => undefined, warn: note, error: note };
    const broker = build({ host: '127.0.0.1', port: 0, token: TOKEN, limits }, { log });
    await broker.start();
    ends.push(() => broker.stop());
    return broker;
  };
  const open = (broker: Broker) => {
    const heard = { text: '', closed: false };
    const socket = connect(broker.port, '127.0.0.1').setEncoding('latin1');
    socket.on('data', (text) => {
      heard.text += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      heard.closed = true;
    });
    ends.push(() => socket.destroy());
    const say = (text: string) => socket.write(text, 'latin1');
    const hears = (text: string) =>
      waitFor(text, () => heard.text.includes(text), { seen: () => heard.text.slice(-300) });
    const closes = () => waitFor('the connection to close', () => heard.closed);
    return { socket, heard, say, hears, closes };
  };

  it('cuts off a client for which too much waits', async () => {
    const broker = await start({ maxPendingBytes: 1024 * 1024 });
    const stalled = open(broker);
    stalled.say(`${CONNECT}SUB flood 1\r\nPING\r\n`);
    await stalled.hears('PONG');
    stalled.socket.pause();
    const publisher = open(broker);
    publisher.say(CONNECT);
    const frame = `PUB flood 100000\r\n${'x'.repeat(100_000)}\r\n`;
    await waitFor('the cut', () => {
      publisher.say(frame);
      return logged.some((line) => line.includes('Slow Consumer'));
    });
    publisher.say('PING\r\n');
    await publisher.hears('PONG');
    stalled.socket.resume();
    await stalled.closes();
  });

  it('holds a sender back while the reader is behind, so that a burst cuts nobody off', async () => {
    const broker = await start({ maxPendingBytes: 8 * 1024 * 1024, stallBytes: 1024 * 1024, stallMs: 10_000 });
    const reader = open(broker);
    reader.say(`${CONNECT}SUB flood 1\r\nPING\r\n`);
    await reader.hears('PONG');
    reader.socket.pause();
    const sender = open(broker);
    const frame = `PUB flood 100000\r\n${'x'.repeat(100_000)}\r\n`;
    sender.say(`${CONNECT}${frame.repeat(400)}PING\r\n`);
    await waitFor(
      'the sender to be held back',
      () => sender.socket.writableLength > 0 && sender.socket.writableNeedDrain,
    );
    expect(sender.heard.text).not.toContain('PONG');
    reader.socket.resume();
    await sender.hears('PONG');
    await waitFor('everything to arrive', () => reader.heard.text.split('MSG flood').length - 1 === 400);
    expect(logged).toEqual([]);
  });

  it('asks silent clients whether they live, and lets go of those that do not answer', async () => {
    const broker = await start({ pingIntervalMs: 30 });
    const silent = open(broker);
    silent.say(CONNECT);
    await silent.hears('PING');
    await silent.closes();
    expect(logged).toContain('client cut off: Stale Connection');
  });

  it('bounds connections and subscriptions', async () => {
    const broker = await start({ maxConnections: 2, maxSubscriptions: 2 });
    const first = open(broker);
    first.say(`${CONNECT}SUB a 1\r\nSUB b 2\r\nPING\r\n`);
    await first.hears('PONG');
    const second = open(broker);
    await second.hears('INFO');
    const third = open(broker);
    await third.hears("-ERR 'maximum connections exceeded'");
    await third.closes();
    first.say('SUB c 3\r\n');
    await first.hears("-ERR 'maximum subscriptions exceeded'");
    await first.closes();
  });

  it('says that it leaves, sends what waits, and closes', async () => {
    const broker = await start();
    const client = open(broker);
    client.say(`${CONNECT}SUB a 1\r\nPING\r\n`);
    await client.hears('PONG');
    await broker.stop();
    await client.closes();
    expect(client.heard.text).toContain('"ldm":true');
  });

  it('frees its port for the next run', async () => {
    const broker = await start();
    const client = open(broker);
    client.say(CONNECT);
    await client.hears('INFO');
    const { port } = broker;
    await broker.stop();
    const next = build({ host: '127.0.0.1', port, token: TOKEN }, { log: { info() {}, warn() {}, error() {} } });
    await next.start();
    ends.push(() => next.stop());
    expect(next.port).toBe(port);
  });

  it('refuses a taken port with an error', async () => {
    const { port } = await start();
    const second = build({ host: '127.0.0.1', port, token: TOKEN }, { log: { info() {}, warn() {}, error() {} } });
    await expect(second.start()).rejects.toThrow('EADDRINUSE');
  });

  it('survives a thousand connections that talk noise, before and after the token', async () => {
    const broker = await start();
    const witness = open(broker);
    witness.say(`${CONNECT}SUB seen 1\r\n`);
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    const near = fc.constantFrom(
      'PUB a 1\r\nxy\r\n',
      'HPUB a 9 1\r\n',
      'SUB > 1\r\nPUB',
      'CONNECT [\r\n',
      'UNSUB 1 x\r\n',
    );
    const word = fc.oneof(
      noise,
      near.map((text) => Buffer.from(text)),
    );
    const scripts = fc.sample(fc.tuple(fc.boolean(), fc.array(word, { maxLength: 5 })), { numRuns: 1000, seed: 1 });
    const talk = ([first, words]: [boolean, Buffer[]]) =>
      new Promise<void>((resolve) => {
        const socket: Socket = connect(broker.port, '127.0.0.1', () => {
          socket.end(Buffer.concat([Buffer.from(first ? CONNECT : ''), ...words]));
        });
        socket.resume();
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
      });
    for (let i = 0; i < scripts.length; i += 50) await Promise.all(scripts.slice(i, i + 50).map(talk));
    witness.say('PUB seen 2\r\nok\r\n');
    await witness.hears('MSG seen 1 2\r\nok');
    expect(witness.heard.text).toMatch(INFO);
    expect(logged.filter((line) => line.includes('fault'))).toEqual([]);
  });
});
