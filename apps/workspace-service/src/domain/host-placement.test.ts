import { expect, it } from 'vitest';
import { type Candidate, placeByLoad } from './host-placement.js';

const machine = (host: string, load_1m: number, cpus: number, more: Partial<Candidate> = {}): Candidate => ({
  host,
  labels: [],
  open: true,
  load: { cpus, load_1m, memory_bytes: 1, memory_free_bytes: 1 },
  terminals: 0,
  ...more,
});

it('takes the machine with most room for each processor', () => {
  expect(placeByLoad('any', [machine('a', 2, 4), machine('b', 3, 16), machine('local', 1, 2)])).toBe('b');
});

it('counts the terminals that a machine has been given since it last told its load', () => {
  expect(placeByLoad('any', [machine('a', 0, 4, { terminals: 20 }), machine('b', 0, 4, { terminals: 19 })])).toBe('b');
});

it('takes none that is away or draining, nor one without the label', () => {
  const machines = [machine('a', 0, 4, { open: false, labels: ['gpu'] }), machine('b', 9, 4, { labels: ['gpu'] })];
  expect(placeByLoad('any:gpu', [...machines, machine('c', 0, 4)])).toBe('b');
  expect(() => placeByLoad('any:arm64', machines)).toThrow(expect.objectContaining({ code: 'host_unreachable' }));
});
