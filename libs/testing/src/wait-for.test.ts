import { expect, it } from 'vitest';
import { waitFor, within } from './wait-for.js';

it('gives the first answer that is one', async () => {
  const answers = [undefined, null, false, 0];
  expect(await waitFor('an answer', () => answers.shift())).toBe(0);
});

it('says on failure what it waited for and what it saw last', async () => {
  const failed = waitFor('the moon is full', () => false, { timeoutMs: 30, seen: () => ({ moon: 'half' }) });
  await expect(failed).rejects.toThrow('not within 30 ms: the moon is full; last seen: {"moon":"half"}');
  const threw = waitFor('peace', () => Promise.reject(new Error('war')), { timeoutMs: 30 });
  await expect(threw).rejects.toThrow('last seen: war');
});

it('limits a promise and passes on how it ends', async () => {
  expect(await within(1000, 'a value', Promise.resolve(1))).toBe(1);
  await expect(within(1000, 'a value', Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(within(20, 'a value', new Promise(() => undefined))).rejects.toThrow('not within 20 ms: a value');
});
