import type { JournalEvent } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { EventRing } from './event-ring.js';

const event = (seq: number, title = ''): JournalEvent => ({
  seq,
  at: 1000 + seq,
  kind: 'workspace.renamed',
  workspace_id: 'W',
  surface_id: null,
  data: { title, custom_title: title },
});
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => event(from + i));
const numbers = (found: ReturnType<EventRing['after']>) => found?.map((one) => one.event.seq);

describe('EventRing', () => {
  it('answers what came after a number, as many as are wanted', () => {
    const ring = new EventRing('j', 4);
    expect(ring.add(events(5, 9))).toBe(true);
    expect(numbers(ring.after(4, 10))).toEqual([5, 6, 7, 8, 9]);
    expect(numbers(ring.after(6, 2))).toEqual([7, 8]);
    expect(numbers(ring.after(9, 10))).toEqual([]);
  });

  it('does not know what was before it', () => {
    const ring = new EventRing('j', 4);
    expect(ring.after(3, 10)).toBeUndefined();
    ring.add(events(5, 6));
    expect(ring.after(3, 10)).toBeUndefined();
  });

  it('leaves out what it has, and stops at a gap', () => {
    const ring = new EventRing('j', 0);
    ring.add(events(1, 3));
    expect(ring.add(events(2, 5))).toBe(true);
    expect(ring.add(events(8, 9))).toBe(false);
    expect(numbers(ring.after(0, 10))).toEqual([1, 2, 3, 4, 5]);
    expect(ring.last).toBe(5);
  });

  it('keeps the newest four thousand', () => {
    const ring = new EventRing('j', 0);
    for (let seq = 1; seq <= 10_000; seq += 100) ring.add(events(seq, seq + 99));
    expect(ring.after(10_000 - 4097, 1)).toBeUndefined();
    expect(numbers(ring.after(10_000 - 4096, 1))).toEqual([5905]);
    expect(numbers(ring.after(9998, 9))).toEqual([9999, 10_000]);
  });

  it('keeps fewer when they are large', () => {
    const ring = new EventRing('j', 0);
    for (let seq = 1; seq <= 20; seq++) ring.add([event(seq, 'x'.repeat(512 * 1024))]);
    expect(ring.after(5, 1)).toBeUndefined();
    expect(numbers(ring.after(18, 9))).toEqual([19, 20]);
  });

  it('writes each event as it goes to clients', () => {
    const ring = new EventRing('j', 0);
    ring.add([event(1, 'a')]);
    const [{ head, data } = { head: '', data: '' }] = ring.after(0, 1) ?? [];
    expect(JSON.parse(`{${head},"data":${data}}`)).toEqual({
      cursor: expect.any(String),
      at: 1001,
      workspace_id: 'W',
      surface_id: null,
      data: { title: 'a', custom_title: 'a' },
    });
  });
});
