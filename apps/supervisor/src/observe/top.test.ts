import { describe, expect, it, vi } from 'vitest';
import type { Reading } from '../domain/top.js';
import { Top } from './top.js';

function scene() {
  let cpuMs = 0;
  const read = vi.fn(async (): Promise<Reading> => {
    cpuMs += 100;
    const process = { pid: 5, parent: 0, start: 'a', cpuMs, childrenCpuMs: 0, rssBytes: 1 };
    const counted = { outputBytes: 0, inputBytes: 0, inputWaiting: 0 };
    const surfaces = [{ surfaceId: 'S', host: 'local', pid: 5, processes: [process], ...counted }];
    return { at: performance.now(), services: [], surfaces, unreachable: [] };
  });
  return { read, top: new Top({ read, names: async () => new Map() }) };
}

describe('a look at what is used', () => {
  it('takes an interval of its own at first, then goes on from the look before, and adds up', async () => {
    const { read, top } = scene();
    const first = await top.read();
    expect(read).toHaveBeenCalledTimes(2);
    expect(first.interval_ms).toBeGreaterThanOrEqual(299);
    await top.read();
    expect(read).toHaveBeenCalledTimes(3);
    expect(top.cpuSeconds('S')).toBeCloseTo(0.2);
  });

  it('is one for all who ask at the same time, and none when nobody asks', async () => {
    const { read, top } = scene();
    expect(read).not.toHaveBeenCalled();
    const [a, b] = await Promise.all([top.read(), top.read()]);
    expect(a).toBe(b);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
