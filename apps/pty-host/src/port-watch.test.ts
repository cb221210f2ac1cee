import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PortWatch } from './port-watch.js';
import type { FoundPort, PortSource } from './ports/index.js';

const PORT: FoundPort = { port: 3000, addresses: ['127.0.0.1'], pid: 7, process: 'node' };
const TERMINALS = [{ surfaceId: 'A', pid: 7, tty: null }];

let found = new Map<string, FoundPort[]>();
let looks: boolean[] = [];
let told: [string, readonly FoundPort[]][] = [];

function watch(
  source: PortSource['look'] = async () => found,
  fault: (error: unknown) => void = () => undefined,
): PortWatch {
  const look: PortSource['look'] = (terminals, thorough) => {
    looks.push(thorough);
    return source(terminals, thorough);
  };
  return new PortWatch({
    source: { look, everyMs: 2000 },
    terminals: () => TERMINALS,
    tell: (...one) => told.push(one),
    fault,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  [found, looks, told] = [new Map(), [], []];
});
afterEach(() => vi.useRealTimers());

describe('the watch over ports', () => {
  it('looks at nothing and holds no timer while nothing happens', async () => {
    watch();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(looks).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('looks a few times after a sign, and then no more', async () => {
    const ports = watch();
    for (let i = 0; i < 1000; i++) ports.sign();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(looks).toEqual([false, false, false]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells what is other than before, and only that', async () => {
    const ports = watch();
    expect(ports.of('A')).toBeNull();
    found.set('A', [PORT]);
    ports.sign();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([['A', [PORT]]]);
    expect(ports.of('A')).toEqual([PORT]);
    found.clear();
    ports.sign();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([
      ['A', [PORT]],
      ['A', []],
    ]);
  });

  it('looks thoroughly when somebody asks, once for all who ask meanwhile', async () => {
    let release: () => void = () => undefined;
    const ports = watch(
      () =>
        new Promise((resolve) => {
          release = () => resolve(found);
        }),
    );
    const first = ports.look();
    const [second, third] = [ports.look(), ports.look()];
    release();
    await first;
    await vi.advanceTimersByTimeAsync(0);
    release();
    await Promise.all([second, third]);
    expect(looks).toEqual([true, true]);
  });

  it('goes on after a look that failed', async () => {
    const faults: unknown[] = [];
    let works = false;
    const ports = watch(
      async () => {
        if (works) return found;
        throw new Error('no lsof');
      },
      (error) => faults.push(error),
    );
    await expect(ports.look()).rejects.toThrow('no lsof');
    ports.sign();
    await vi.advanceTimersByTimeAsync(2500);
    expect(faults).toHaveLength(1);
    expect(ports.of('A')).toBeNull();
    works = true;
    await ports.look();
    expect(ports.of('A')).toEqual([]);
  });

  it('does nothing after its end', async () => {
    const ports = watch();
    ports.sign();
    ports.close();
    ports.sign();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toEqual([]);
  });
});
