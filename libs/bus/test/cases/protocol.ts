import { waitFor } from '@switchyard/testing';
import { expect, it } from 'vitest';
import { RawClient, rawClient } from '../support/raw-client.js';
import type { Scene } from '../support/scene.js';

const MiB = 1024 * 1024;
const SLOW_LIMIT_BYTES = 64 * MiB;

/** What any NATS client may rely on, word for word. */
export function protocolCases(scene: Scene): void {
  const client = async (options: object = {}) => {
    const made = await rawClient(scene.broker, options);
    scene.later(() => made.end());
    return made;
  };
  const stranger = async () => {
    const made = new RawClient(scene.broker);
    scene.later(() => made.end());
    await made.hear(/INFO \{.*\}\s*\r\n/);
    return made;
  };

  it('delivers to exact subjects and to both wildcards', async () => {
    const sub = await client();
    sub.send('SUB a.b.c exact', 'SUB a.*.c star', 'SUB a.> rest', 'SUB > all', 'SUB a.* short', 'SUB b.> other');
    await sub.settled();
    const pub = await client();
    await pub.send('PUB a.b.c 2', 'hi').settled();
    const heard = await sub.settled();
    const sids = [...heard.matchAll(/MSG a\.b\.c (\w+) 2\r\nhi\r\n/g)].map(([, sid]) => sid);
    expect(sids.sort()).toEqual(['all', 'exact', 'rest', 'star']);
  });

  it('gives each message of a queue group to exactly one member, and to plain subscribers besides', async () => {
    const members = await Promise.all([client(), client(), client()]);
    for (const member of members) await member.send('SUB jobs.* workers 1').settled();
    const plain = await client();
    await plain.send('SUB jobs.> 9').settled();
    const pub = await client();
    for (let i = 0; i < 90; i++) pub.send(`PUB jobs.x ${String(i).length}`, String(i));
    await pub.settled();
    const counts: number[] = [];
    for (const member of members) counts.push((await member.settled()).split('MSG jobs.x 1').length - 1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(90);
    expect(Math.min(...counts)).toBeGreaterThan(5);
    expect((await plain.settled()).split('MSG jobs.x 9').length - 1).toBe(90);
  });

  it('passes headers on, and strips them for a client that does not know headers', async () => {
    const knows = await client({ headers: true });
    const plain = await client({ headers: false });
    await knows.send('SUB h 1').settled();
    await plain.send('SUB h 2').settled();
    const pub = await client({ headers: true });
    const headers = 'NATS/1.0\r\nA: b\r\n\r\n';
    await pub.send(`HPUB h re.ply ${headers.length} ${headers.length + 2}`, `${headers}ok`).settled();
    expect(await knows.settled()).toBe(`HMSG h 1 re.ply 18 20\r\n${headers}ok\r\n`);
    expect(await plain.settled()).toBe('MSG h 2 re.ply 2\r\nok\r\n');
  });

  it('tells a requester at once that nobody listens', async () => {
    const asker = await client({ headers: true, no_responders: true });
    await asker
      .send('SUB inbox.* 7', 'PUB nobody.home inbox.1 2', 'hi')
      .settled()
      .then((heard) => {
        expect(heard).toMatch(/^HMSG inbox\.1 7 16 16\r\nNATS\/1\.0 503\r\n\r\n\r\n$/);
      });
    const silent = await client({ headers: true, no_responders: false });
    expect(await silent.send('SUB inbox.* 7', 'PUB nobody.home inbox.1 2', 'hi').settled()).toBe('');
  });

  it('ends a subscription at once, or after a number of messages', async () => {
    const sub = await client();
    await sub.send('SUB n 1', 'UNSUB 1 2', 'SUB n 2', 'UNSUB 2').settled();
    const pub = await client();
    await pub.send('PUB n 1', 'a', 'PUB n 1', 'b', 'PUB n 1', 'c').settled();
    expect(await sub.settled()).toBe('MSG n 1 1\r\na\r\nMSG n 1 1\r\nb\r\n');
  });

  it('lets a client choose not to hear itself', async () => {
    const quiet = await client({ echo: false });
    expect(await quiet.send('SUB e 1', 'PUB e 1', 'x').settled()).toBe('');
    const loud = await client();
    expect(await loud.send('SUB e 1', 'PUB e 1', 'x').settled()).toBe('MSG e 1 1\r\nx\r\n');
  });

  it('says +OK to a verbose client', async () => {
    const verbose = await client({ verbose: true });
    verbose.send('SUB v 1', 'PUB w 0', '', 'UNSUB 1', 'PING');
    await verbose.hear('+OK\r\n+OK\r\n+OK\r\nPONG\r\n');
  });

  it('carries empty payloads and every byte value', async () => {
    const sub = await client();
    await sub.send('SUB bytes 1').settled();
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('latin1');
    const pub = await client();
    await pub.send('PUB bytes 0', '', 'PUB bytes 256', all).settled();
    expect(await sub.settled()).toBe(`MSG bytes 1 0\r\n\r\nMSG bytes 1 256\r\n${all}\r\n`);
  });

  it('refuses a wrong token, a missing one, and a client that speaks before it has shown one', async () => {
    for (const words of ['CONNECT {"auth_token":"wrong"}', 'CONNECT {}', 'SUB a 1', 'PING']) {
      const made = await stranger();
      made.send(words);
      await made.hear("-ERR 'Authorization Violation'");
      await made.closed();
    }
  });

  it('closes a connection that does not show its token in time', async () => {
    const made = await stranger();
    await made.hear(/-ERR 'Authentication Timeout'/);
    await made.closed();
  });

  it('takes a payload of exactly the limit and cuts off one above it', async () => {
    const sub = await client();
    await sub.send('SUB big 1').settled();
    const pub = await client();
    await pub.send(`PUB big ${MiB}`, 'x'.repeat(MiB)).settled();
    await sub.hear(`MSG big 1 ${MiB}\r\n`);
    pub.send(`PUB big ${MiB + 1}`);
    await pub.hear("-ERR 'Maximum Payload Violation'");
    await pub.closed();
  });

  it('cuts off what is not the protocol, and serves everybody else on', async () => {
    const other = await client();
    for (const words of ['GET / HTTP/1.1', 'PUBB a 1', '\0\0\0', `PUB a 3\r\nabcdef`]) {
      const made = await client();
      made.send(words);
      await made.hear(/-ERR '/);
      await made.closed();
    }
    const long = await client();
    long.send(`SUB ${'a'.repeat(8192)} 1`);
    await long.hear(/-ERR '[Mm]aximum [Cc]ontrol [Ll]ine/);
    await long.closed();
    expect(await other.send('SUB fine 1', 'PUB fine 1', 'x').settled()).toBe('MSG fine 1 1\r\nx\r\n');
  });

  it('G5: cuts off a subscriber that does not read, while others lose nothing and memory stays bounded', async () => {
    const stalled = await client();
    await stalled.send('SUB flood 1').settled();
    stalled.socket.pause();
    const reader = await client();
    let read = 0;
    reader.socket.on('data', (text) => {
      read += text.length;
    });
    await reader.send('SUB flood 1').settled();
    const before = read;
    const pub = await client();
    const size = 128 * 1024;
    const frame = `PUB flood ${size}\r\n${'x'.repeat(size)}`;
    const count = (3 * SLOW_LIMIT_BYTES) / size;
    for (let i = 0; i < count; i++) {
      pub.send(frame);
      // At the pace of the reader, so that only the stalled one falls behind.
      if (i % 32 === 0) await pub.settled();
    }
    await pub.settled();
    const line = `MSG flood 1 ${size}\r\n`.length;
    await waitFor('the reader to have everything', () => read - before >= count * (line + size + 2), {
      timeoutMs: 60_000,
      seen: () => `${read - before} of ${count * (line + size + 2)}`,
    });
    stalled.socket.resume();
    await stalled.closed();
  });
}
