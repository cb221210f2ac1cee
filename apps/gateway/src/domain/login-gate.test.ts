import { describe, expect, it } from 'vitest';
import { type Guesser, LoginGate } from './login-gate.js';

const session = (): Guesser => ({ failures: 0 });

describe('LoginGate', () => {
  it('lets a right password in at once', async () => {
    const delays: number[] = [];
    const gate = new LoginGate(async (ms) => void delays.push(ms));
    const mine = session();
    await gate.enter(mine, () => true);
    expect(mine.failures).toBe(0);
    expect(delays).toEqual([]);
  });

  it('answers a wrong password only after the delay, and looks at the next one after that', async () => {
    const order: string[] = [];
    let endDelay = () => {};
    const gate = new LoginGate(() => new Promise((resolve) => (endDelay = resolve)));
    const wrong = session();
    const failed = gate.enter(wrong, () => false).catch((error) => order.push(error.code));
    const right = session();
    const entered = gate.enter(right, () => true).then(() => order.push('entered'));
    await Promise.resolve();
    await Promise.resolve();
    expect(order).toEqual([]);
    endDelay();
    await Promise.all([failed, entered]);
    expect(order).toEqual(['auth_failed', 'entered']);
    expect(wrong).toEqual({ failures: 1 });
  });

  it('refuses a login when too many wait', async () => {
    let endDelay = () => {};
    const gate = new LoginGate(() => new Promise((resolve) => (endDelay = resolve)));
    const waiting = [gate.enter(session(), () => false).catch(() => {})];
    for (let i = 1; i < 64; i++) waiting.push(gate.enter(session(), () => true));
    await expect(gate.enter(session(), () => true)).rejects.toMatchObject({ code: 'overloaded' });
    endDelay();
    await Promise.all(waiting);
    await gate.enter(session(), () => true);
  });

  it('goes on after a check that throws', async () => {
    const gate = new LoginGate(async () => {});
    const broken = gate.enter(session(), () => {
      throw new Error('no file');
    });
    await expect(broken).rejects.toThrow('no file');
    await gate.enter(session(), () => true);
  });
});
