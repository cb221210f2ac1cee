import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkerScanner } from './marker-scanner.js';

const MARKER = Buffer.from('ABABCABAB');

/** Feeds the pieces and puts together what comes out. */
function scan(pieces: readonly Buffer[]): { text: string; found: boolean } {
  const scanner = new MarkerScanner(MARKER);
  let text = '';
  for (const piece of pieces) {
    const { output, found } = scanner.push(piece);
    text += output.toString('latin1');
    if (found) return { text, found };
  }
  return { text: text + scanner.flush().toString('latin1'), found: false };
}

/** Cuts a buffer at every given place. */
function cut(whole: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set([0, ...places.map((place) => place % (whole.length + 1)), whole.length])].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, i) => whole.subarray(at[i], end));
}

describe('the marker', () => {
  it('is found and removed wherever reads cut it, however alike the output before it is', () => {
    // A text of the marker's own letters has its beginnings everywhere.
    const output = fc
      .stringMatching(/^[ABC]{0,60}$/)
      .filter((text) => !(text + MARKER).slice(0, -1).includes(`${MARKER}`));
    fc.assert(
      fc.property(output, fc.array(fc.nat(100), { maxLength: 20 }), (text, places) => {
        const whole = Buffer.concat([Buffer.from(text), MARKER, Buffer.from('later')]);
        expect(scan(cut(whole, places))).toEqual({ text, found: true });
      }),
    );
  });

  it('that does not come takes nothing away', () => {
    const output = fc.stringMatching(/^[ABC]{0,60}$/).filter((text) => !text.includes(`${MARKER}`));
    fc.assert(
      fc.property(output, fc.array(fc.nat(100), { maxLength: 20 }), (text, places) => {
        expect(scan(cut(Buffer.from(text), places))).toEqual({ text, found: false });
      }),
    );
  });

  it('holds back no more than may be its beginning', () => {
    expect(new MarkerScanner(MARKER).push(Buffer.from('xyzABA')).output.toString()).toBe('xyz');
  });
});
