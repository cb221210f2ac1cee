import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryFilter } from './query-filter.js';

function shown(...pieces: string[]): string {
  const filter = new QueryFilter();
  return pieces.map((piece) => filter.push(Buffer.from(piece, 'latin1')).toString('latin1')).join('');
}

const QUESTIONS = [
  ...['c', '0c', '>c', '=c', '6n', '5n', '?6n', '?996n', '>0q', '?u', '?2026$p', '4$p', '?4m', 'x', '1x'],
  ...['14t', '18t', '14;2t', '21t', '1$w', '$u', '1;1;1;1;1;1*y', '?1;1;0S'],
].map((csi) => `\x1b[${csi}`);
QUESTIONS.push(
  ...[
    '11;?',
    '10;?;?',
    '4;1;?',
    '4;1;?;2;?',
    '52;c;?',
    '7501;?',
    '21;foreground=?',
    '22;?',
    '99;i=x:p=?;',
    '1337;Capabilities',
  ].flatMap((osc) => [`\x1b]${osc}\x07`, `\x1b]${osc}\x1b\\`]),
  ...['\x1bP+q544e\x1b\\', '\x1bP$qm\x1b\\', '\x1b_Gi=1,a=q;AAAA\x1b\\', '\x1bZ', '\x05'],
  ...['\xc2\x9bc', '\xc2\x9d11;?\xc2\x9c', '\xc2\x9a', '\x1b]11;?\xc2\x9c'],
);
const OTHERS = [
  ...['\x1b[1;31m', '\x1b[2J', '\x1b[?25l', '\x1b[?1049h', '\x1b[>4;1m', '\x1b[>1u', '\x1b[<u', '\x1b[=1u', '\x1b[3 q'],
  ...['\x1b[1;3r', '\x1b[22;0t', '\x1b[8;24;80t', '\x1b[!p', '\x1b[>n', '\x1b[1;1;1;1$x', '\x1b[2S', '\x1b(B', '\x1b7'],
  ...[
    '\x1b]0;what?\x07',
    '\x1b]2;a;?\x07',
    '\x1b]11;#fff\x07',
    '\x1b]4;1;rgb:0/0/0\x1b\\',
    '\x1b]8;;http://x/?a;?\x1b\\',
  ],
  ...['\x1b]7501;state=working:msg=Pw==\x1b\\', '\x1b]52;c;SGVsbG8=\x07', '\x1b]9;4;1;5\x07', '\x1b]133;A\x07'],
  ...['\x1bPq#0;2;0;0;0~\x1b\\', '\x1b_Gf=100,a=T;AAAA\x1b\\', '\xe2\x82\xac', '\xc2\xa9', '\xc3\x9b', 'plain\r\n'],
];

describe('the output of an attached terminal', () => {
  it.each(QUESTIONS)('does not have the question %j in it, since the yard answers it', (question) => {
    expect(shown(`a${question}b`)).toBe('ab');
  });

  it.each(OTHERS)('has %j in it, byte for byte', (sequence) => {
    expect(shown(`a${sequence}b`)).toBe(`a${sequence}b`);
  });

  it('is the same however it is cut into pieces', () => {
    const part = fc.constantFrom(...QUESTIONS, ...OTHERS, 'c', '\x1b', '\x18', '\x07');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (parts, sizes) => {
          const text = `${parts.join('')}\x1b[m.`;
          const pieces: string[] = [];
          for (let at = 0; at < text.length; ) {
            const size = sizes.next().value ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(shown(...pieces)).toBe(shown(text));
        },
      ),
    );
  });

  it('is whole when there is no question in it, whatever else it is', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('latin1'));
    fc.assert(
      fc.property(bytes, (text) => {
        // An ESC or half a character at the end waits for what comes next.
        const safe = `${text.replaceAll('\x05', '').replaceAll(/\x1b|\xc2/g, 'x')}.`;
        expect(shown(safe)).toBe(safe);
      }),
    );
  });

  it('delays the beginning of a sequence only until its end, and a long one not at all', () => {
    const filter = new QueryFilter();
    const push = (text: string) => filter.push(Buffer.from(text, 'latin1')).toString('latin1');
    expect(push('a\x1b[')).toBe('a');
    expect(push('31mb')).toBe('\x1b[31mb');
    const image = `\x1bPq${'~'.repeat(5000)}`;
    expect(push(image)).toBe(image);
    expect(push('~~\x1b\\c')).toBe('~~\x1b\\c');
    expect(push('\x1b]11;\x1b[6n?\x07')).toBe('\x1b]11;?\x07');
  });
});
