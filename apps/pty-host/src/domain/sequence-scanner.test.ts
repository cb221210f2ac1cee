import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Found, MAX_DATA_BYTES, SequenceScanner } from './sequence-scanner.js';

const OSCS = [9, 52, 99, 777];
/** Scans a text that is cut at the given places. */
function scan(text: string, ...cuts: number[]): Found[] {
  const bytes = Buffer.from(text, 'utf8');
  const scanner = new SequenceScanner(OSCS);
  const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  return edges.flatMap((from, i) => scanner.scan(bytes.subarray(from, edges[i + 1] ?? from), from));
}
const shown = (text: string) => scan(text).map(({ osc, data }) => (osc === null ? 'bell' : `${osc}:${data}`));

describe('bells and notifications in the output of a terminal', () => {
  it('are found with the offset behind them', () => {
    expect(scan('ab\x07c\x1b]9;done\x07d\x1b]777;notify;a;b\x1b\\')).toEqual([
      { offset: 3, osc: null, data: '', bytes: 0 },
      { offset: 13, osc: 9, data: 'done', bytes: 4 },
      { offset: 31, osc: 777, data: 'notify;a;b', bytes: 10 },
    ]);
  });

  it('end as the emulator ends them, and nothing rings inside of another sequence', () => {
    expect(shown('\x1b]0;title\x07\x1b]8;;x\x1b\\')).toEqual([]);
    expect(shown('\x1bPq\x07\x1b\\\x07\x1b_G\x07\x1b\\')).toEqual(['bell']);
    expect(shown('\x1b[3\x074m')).toEqual(['bell']);
    expect(shown('\x1b]9;broken\x18off\x07')).toEqual(['bell']);
    expect(shown('\x1b]9;a\x1b]9;b\x07')).toEqual(['9:a', '9:b']);
    expect(shown('\u009d9;c1\u009c\u00e9\x07')).toEqual(['9:c1', 'bell']);
    expect(shown('\x1b(B\x1b]99;i=1;Ü\x07')).toEqual(['99:i=1;Ü']);
    expect(shown('\x1b]1337;File=\x07\x1b]952;x\x07\x1b]9\x07')).toEqual(['9:']);
  });

  it('are the same wherever the stream is cut', () => {
    const part = fc.constantFrom(
      '\x07',
      '\x1b',
      ']',
      '9;hi',
      '777;n',
      '52;c;aGk=',
      '\\',
      'x',
      'é',
      '\u009d',
      '\u009c',
      '[',
      '\x18',
      'P',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(80), { maxLength: 8 }), (parts, cuts) => {
        const text = parts.join('');
        expect(scan(text, ...cuts)).toEqual(scan(text));
      }),
      { numRuns: 500 },
    );
  });

  it('are kept up to a limit, and counted beyond it', () => {
    const large = 'x'.repeat(300_000);
    const [found] = scan(`\x1b]52;c;${large}\x07`, 100_000, 200_000);
    expect(found?.bytes).toBe(300_002);
    expect(found?.data.length).toBeLessThanOrEqual(MAX_DATA_BYTES);
    expect(scan(`\x1b]0;${large}\x07\x07`, 1000)).toMatchObject([{ osc: null, offset: 300_006 }]);
  });

  it('forgets half a sequence when something is missing after it', () => {
    const scanner = new SequenceScanner(OSCS);
    scanner.scan(Buffer.from('\x1b]9;half'), 0);
    scanner.reset();
    expect(scanner.scan(Buffer.from('text\x07'), 100)).toMatchObject([{ osc: null, offset: 105 }]);
  });
});
