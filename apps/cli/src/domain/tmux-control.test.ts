import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ControlDecoder, type ControlEvent, unescaped } from './tmux-control.js';

/** As tmux writes it: control.c escapes what is below the blank, and the backslash. */
function escaped(data: Uint8Array): Buffer {
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;
  return Buffer.concat(
    [...data].map((byte) => (byte < 0x20 || byte === 0x5c ? Buffer.from(octal(byte)) : Buffer.of(byte))),
  );
}

const line = (pane: string, data: Uint8Array) =>
  Buffer.concat([Buffer.from(`%output ${pane} `), escaped(data), Buffer.from('\n')]);

function decode(bytes: Uint8Array, cuts: readonly number[] = []): ControlEvent[] {
  const decoder = new ControlDecoder();
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length].map((cut) => Math.min(cut, bytes.length));
  return at.slice(1).flatMap((end, i) => decoder.push(bytes.subarray(at[i], end)));
}

const printed = (events: readonly ControlEvent[], pane = '%1') =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'output' && event.pane === pane ? event.data : [])));

describe('C14: the stream of a tmux control client', () => {
  it('C14: gives the bytes of a pane: escapes, a backslash, a raw ESC', () => {
    expect(printed(decode(Buffer.from('%output %1 a\\015\\012b\\134c\n')))).toEqual(Buffer.from('a\r\nb\\c'));
    expect(printed(decode(Buffer.from('%output %1 \x1b[31mred\\033[0m\n')))).toEqual(Buffer.from('\x1b[31mred\x1b[0m'));
  });

  it('C14: keeps a character whole that is split over two lines', () => {
    const euro = Buffer.from('€');
    const stream = Buffer.concat([
      line('%1', euro.subarray(0, 1)),
      line('%2', Buffer.from('x')),
      line('%1', euro.subarray(1)),
    ]);
    const events = decode(stream);
    expect(printed(events).toString('utf8')).toBe('€');
    expect(printed(events, '%2').toString()).toBe('x');
  });

  it('C14: goes on after what it does not know, and leaves half an escape as it is', () => {
    const text = 'noise\n%who-knows what\n\n%output %1 \\9zz\\01\n%output %1 ok\n';
    const events = decode(Buffer.from(text, 'latin1'));
    expect(printed(events).toString()).toBe('\\9zz\\01ok');
    expect(events).toContainEqual({ kind: 'notice', name: 'who-knows', rest: 'what' });
    expect(unescaped(Buffer.from('\\777\\0'))).toEqual(Buffer.from('\\777\\0'));
  });

  it('C14: gives any bytes back as they were, wherever lines and chunks are cut', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(2000), { maxLength: 20 }), fc.boolean(), (parts, cuts, isControl) => {
        const lines = parts.map((part) => line('%1', part));
        const stream = Buffer.concat(isControl ? [Buffer.from('\x1bP1000p'), ...lines, Buffer.from('\x1b\\')] : lines);
        expect(printed(decode(stream, cuts))).toEqual(Buffer.concat(parts));
      }),
    );
  });

  it('C14: survives any noise between lines', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(300), { maxLength: 8 }), (noise, cuts) => {
        const safe = Buffer.from(noise).toString('latin1').replaceAll('%begin', '%bygin');
        const stream = Buffer.concat([Buffer.from(safe, 'latin1'), Buffer.from('\n%output %77 fine\n')]);
        expect(printed(decode(stream, cuts), '%77').toString().endsWith('fine')).toBe(true);
      }),
    );
  });

  it('takes nothing inside an answer for the end of it, or for output', () => {
    const answer =
      '%begin 1 2 1\n%output %1 no\n%end 1 3 1\n%error\n%end 1 2 1\n%begin 1 4 1\nbad target\n%error 1 4 1\n';
    const events = decode(Buffer.from(answer));
    expect(events).toMatchObject([
      { kind: 'reply', ok: true, lines: ['%output %1 no', '%end 1 3 1', '%error'].map((text) => Buffer.from(text)) },
      { kind: 'reply', ok: false, lines: [Buffer.from('bad target')] },
    ]);
  });

  it('knows output that says how late it is, lines that end as a terminal ends them, and the exit', () => {
    const events = decode(Buffer.from('%extended-output %3 1234 x : a\\012b : c\r\n%exit server exited\r\n'));
    expect(printed(events, '%3').toString()).toBe('a\nb : c');
    expect(events.at(-1)).toEqual({ kind: 'exit', reason: 'server exited' });
  });

  it('takes no memory without a bound', () => {
    const decoder = new ControlDecoder();
    const flood = () => {
      for (let i = 0; i < 100; i++) decoder.push(Buffer.alloc(64 * 1024, 'x'));
    };
    expect(flood).toThrow(/over 4194304 bytes/);
  });
});
