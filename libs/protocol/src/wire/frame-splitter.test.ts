import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Frame, FrameSplitter } from './frame-splitter.js';

const text = (frames: Frame[]) =>
  frames.map((frame) => (frame.tooLarge ? '<too large>' : frame.line.toString('latin1')));
const all = (splitter: FrameSplitter, chunks: Buffer[]) => chunks.flatMap((chunk) => splitter.push(chunk));
const bytes = (input: string) => [...Buffer.from(input)].map((byte) => Buffer.of(byte));

describe('FrameSplitter', () => {
  it('cuts the same lines out of a stream however it is cut into chunks', () => {
    const line = fc.uint8Array({ maxLength: 200 }).map((a) => Buffer.from(a.filter((b) => b !== 0x0a && b !== 0x0d)));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(50), { minLength: 1 }), (lines, cuts) => {
        const stream = Buffer.concat(lines.map((l) => Buffer.concat([l, Buffer.from('\n')])));
        const chunks: Buffer[] = [];
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = 1 + (cuts[i % cuts.length] ?? 0);
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        const expected = lines.map((l) => l.toString('latin1')).filter((l) => /[^ \t]/.test(l));
        expect(text(all(new FrameSplitter(1000), chunks))).toEqual(expected);
      }),
    );
  });

  it('drops blank lines and the carriage return of CRLF', () => {
    expect(text(new FrameSplitter(100).push(Buffer.from('a\r\n\r\n \t\n\nb\n')))).toEqual(['a', 'b']);
  });

  it('leaves NUL, broken UTF-8 and a character cut by a read as they are', () => {
    const splitter = new FrameSplitter(100);
    expect(splitter.push(Buffer.from([0x00, 0xff, 0xe2]))).toEqual([]);
    expect(splitter.push(Buffer.from([0x82, 0xac, 0x0a]))).toEqual([
      { tooLarge: false, line: Buffer.from([0x00, 0xff, 0xe2, 0x82, 0xac]) },
    ]);
  });

  it('accepts a line of exactly the limit and refuses one byte more, newline or not', () => {
    expect(text(new FrameSplitter(4).push(Buffer.from('abcd\n')))).toEqual(['abcd']);
    expect(text(new FrameSplitter(4).push(Buffer.from('abcde\nx\n')))).toEqual(['<too large>']);
    expect(text(all(new FrameSplitter(4), bytes('abcde')))).toEqual(['<too large>']);
  });

  it('gives the lines before an oversized one, then nothing more, and holds nothing', () => {
    const splitter = new FrameSplitter(4);
    expect(text(splitter.push(Buffer.from('ok\ntoo long\nnever\n')))).toEqual(['ok', '<too large>']);
    expect(splitter.push(Buffer.from('more\n'))).toEqual([]);
    expect(splitter.end()).toEqual([]);
    expect(splitter.heldBytes).toBe(0);
  });

  it('C12: joins 900 KB sent one byte at a time in linear time', () => {
    const splitter = new FrameSplitter(8 * 1024 * 1024);
    const one = Buffer.from('x');
    const started = performance.now();
    let early = 0;
    for (let i = 0; i < 900_000; i++) early += splitter.push(one).length;
    expect(early).toBe(0);
    const [frame] = splitter.push(Buffer.from('\n'));
    expect(frame?.tooLarge === false && frame.line.length).toBe(900_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('keeps a small chunk by value, so that its buffer may be used again', () => {
    const splitter = new FrameSplitter(100);
    const chunk = Buffer.from('ab');
    splitter.push(chunk);
    chunk.fill('z');
    expect(text(splitter.push(Buffer.from('\n')))).toEqual(['ab']);
  });

  it('hands out the last line when the stream ends without a newline', () => {
    const splitter = new FrameSplitter(100);
    splitter.push(Buffer.from('a\n{"id":1'));
    expect(text(splitter.end())).toEqual(['{"id":1']);
    expect(splitter.end()).toEqual([]);
  });
});
