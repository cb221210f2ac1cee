import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.js';

function split(chunks: readonly string[], limit = 100): { lines: string[]; fits: boolean } {
  const lines: string[] = [];
  const splitter = new LineSplitter(limit, (line) => lines.push(line.toString()));
  return { fits: chunks.every((chunk) => splitter.push(Buffer.from(chunk))), lines };
}

describe('lines', () => {
  it('are put together from any pieces', () => {
    expect(split(['a', 'b\nc', '\n\nd\ne'])).toEqual({ lines: ['ab', 'c', '', 'd'], fits: true });
  });

  it('over the limit end the stream, whether they are finished or not', () => {
    expect(split(['x'.repeat(60), 'x'.repeat(60)]).fits).toBe(false);
    expect(split([`ok\n${'x'.repeat(101)}\n`])).toEqual({ lines: ['ok'], fits: false });
    expect(split([`${'x'.repeat(100)}\n`]).fits).toBe(true);
  });

  it('cost what they weigh: 32 MiB in small pieces takes well under the seconds that joining them again and again would', () => {
    const piece = Buffer.alloc(16 * 1024, 'x');
    let length = 0;
    const splitter = new LineSplitter(64 * 1024 * 1024, (line) => {
      length = line.length;
    });
    const start = performance.now();
    for (let i = 0; i < 2048; i++) splitter.push(piece);
    splitter.push(Buffer.from('\n'));
    expect(length).toBe(32 * 1024 * 1024);
    expect(performance.now() - start).toBeLessThan(1500);
  });
});
