import { describe, expect, it } from 'vitest';
import { FrameQueue } from './frame-queue.js';

const drain = (queue: FrameQueue) => {
  const out: string[] = [];
  for (let next = queue.next((n) => `-${n} `); next !== undefined; next = queue.next((n) => `-${n} `)) out.push(next);
  return out;
};

describe('FrameQueue', () => {
  it('hands out in order what was put in', () => {
    const queue = new FrameQueue(3, 100);
    for (const frame of ['a', 'b', 'c']) queue.add(frame);
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
    expect(drain(queue)).toEqual([]);
  });

  it('gives up the oldest, and says how many before the oldest that is left', () => {
    const queue = new FrameQueue(3, 100);
    for (const frame of 'abcdefg') queue.add(frame);
    expect(drain(queue)).toEqual(['-4 e', 'f', 'g']);
    queue.add('h');
    expect(drain(queue)).toEqual(['h']);
  });

  it('is bounded by what the frames hold as well, but always has the newest', () => {
    const queue = new FrameQueue(100, 10);
    for (const frame of ['aaaa', 'bbbb', 'cccc']) queue.add(frame);
    queue.add('d'.repeat(50));
    expect(drain(queue)).toEqual([`-3 ${'d'.repeat(50)}`]);
  });

  it('adds what was lost elsewhere', () => {
    const queue = new FrameQueue(3, 100);
    queue.lose(5);
    queue.add('a');
    expect(drain(queue)).toEqual(['-5 a']);
  });
});
