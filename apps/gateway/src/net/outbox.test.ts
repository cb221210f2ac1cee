import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Outbox } from './outbox.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A stream that takes a chunk only when told to. */
function slowStream() {
  const written: string[] = [];
  const takers: (() => void)[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      takers.push(done);
    },
  });
  return { stream, written, take: () => takers.shift()?.() };
}

describe('Outbox', () => {
  const limits = { highWaterBytes: 100, limitBytes: 1000 };

  it('joins the lines of one turn into one write and keeps their order', async () => {
    const { stream, written } = slowStream();
    const outbox = new Outbox(stream, limits);
    for (const line of ['1\n', '2\n', '3\n']) outbox.send(Buffer.from(line));
    expect(outbox.bytes).toBe(6);
    await turn();
    expect(written).toEqual(['1\n2\n3\n']);
  });

  it('does not copy a large line and keeps it in its place', async () => {
    const { stream, written, take } = slowStream();
    const outbox = new Outbox(stream, { highWaterBytes: 1, limitBytes: 1_000_000 });
    const large = `${'x'.repeat(50_000)}\n`;
    outbox.send(Buffer.from('a\n'));
    outbox.send(Buffer.from(large));
    outbox.send(Buffer.from('b\n'));
    await turn();
    for (let i = 0; i < 3; i++) {
      take();
      await turn();
    }
    expect(written).toEqual(['a\n', large, 'b\n']);
  });

  it('counts what the client has not taken', async () => {
    const { stream, take } = slowStream();
    const outbox = new Outbox(stream, limits);
    outbox.send(Buffer.from('x'.repeat(150)));
    await turn();
    expect(outbox.isAboveHighWater).toBe(true);
    take();
    await turn();
    expect(outbox.bytes).toBe(0);
    expect(outbox.isAboveHighWater).toBe(false);
  });

  it('refuses a line above the limit, but takes one that is larger than the limit when nothing waits', async () => {
    const { stream } = slowStream();
    const outbox = new Outbox(stream, limits);
    expect(outbox.send(Buffer.from('y'.repeat(2000)))).toBe(true);
    expect(outbox.send(Buffer.from('z\n'))).toBe(false);
    expect(outbox.bytes).toBe(2000);
  });

  it('writes nothing to a stream that was destroyed meanwhile', async () => {
    const { stream, written } = slowStream();
    const outbox = new Outbox(stream, limits);
    outbox.send(Buffer.from('late\n'));
    stream.destroy();
    await turn();
    expect(written).toEqual([]);
  });
});
