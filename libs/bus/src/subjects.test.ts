import { describe, expect, it } from 'vitest';
import { isAddressAt, isCallIdAt } from './subjects.js';

describe('what a machine names in its messages', () => {
  it.each([
    ['m1.abc.1-x_Y', true],
    ['m2.abc.1', false],
    ['m1.abc', false],
    ['m1.abc.1.2', false],
    ['m1.abc.>', false],
    ['m1..1', false],
    ['m1.abc.1 0\r\n\r\nPUB sy.m.s.supervisor._.local.yard.stop 0', false],
    [5, false],
    [undefined, false],
  ])('%j is a call of m1: %s', (callId, is) => {
    expect(isCallIdAt('m1', callId)).toBe(is);
  });

  it('an address is of the machine of that name, not of one whose name begins so', () => {
    expect([isAddressAt('m1', 'm1-0'), isAddressAt('m1', 'm1-12')]).toEqual([true, true]);
    expect(['m1-2-0', 'm10-0', 'm1-', 'm1', 'local-0'].map((address) => isAddressAt('m1', address))).not.toContain(
      true,
    );
  });
});
