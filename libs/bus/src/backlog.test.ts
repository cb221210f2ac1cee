import { describe, expect, it } from 'vitest';
import { Backlog } from './backlog.js';

const MiB = 1024 * 1024;

/** A broker that confirms when it is told to. */
function broker() {
  const asked: PromiseWithResolversLike[] = [];
  const confirm = () =>
    new Promise<void>((resolve, reject) => {
      asked.push({ resolve, reject });
    });
  return { asked, confirm };
}
interface PromiseWithResolversLike {
  resolve: () => void;
  reject: (error: Error) => void;
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the backlog of a connection', () => {
  it('asks for a confirmation now and then, and makes large senders wait for it', async () => {
    const { asked, confirm } = broker();
    const backlog = new Backlog(confirm);
    for (let i = 0; i < 16; i++) backlog.add(MiB / 2);
    expect(asked).toHaveLength(8);
    let room = false;
    void backlog.room().then(() => {
      room = true;
    });
    await settle();
    expect(room).toBe(false);
    asked[0]?.resolve();
    await settle();
    expect(room).toBe(true);
  });

  it('takes nothing more when the broker does not read at all, until the connection is lost', async () => {
    const { asked, confirm } = broker();
    const backlog = new Backlog(confirm);
    for (let i = 0; i < 96; i++) backlog.add(MiB);
    expect(backlog.full).toBe(true);
    const waiting = backlog.room();
    backlog.reset();
    await waiting;
    expect(backlog.full).toBe(false);
    // Confirmations of the lost connection say nothing about the new one.
    backlog.add(MiB);
    for (const { reject } of asked) reject(new Error('connection lost'));
    await settle();
    backlog.add(97 * MiB);
    expect(backlog.full).toBe(true);
  });
});
