import { describe, expect, it } from 'vitest';
import { RecentInputs } from './recent-inputs.js';

describe('recent inputs', () => {
  it('are remembered with what was taken, the latest few hundred of them', () => {
    const inputs = new RecentInputs();
    for (let i = 0; i < 1000; i++) inputs.add(`id-${i}`, i);
    expect(inputs.find('id-999')).toBe(999);
    expect(inputs.find('id-488')).toBe(488);
    expect(inputs.find('id-487')).toBeUndefined();
    expect(inputs.find('new')).toBeUndefined();
  });
});
