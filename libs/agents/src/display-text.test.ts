import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayText, plainText } from './display-text.js';

describe('plainText', () => {
  it('H3: keeps lines, tabs and blanks, and nothing else that has no glyph', () => {
    expect(plainText('# a\r\n\n  - b\tc\x1b[31m!\x1b[0m\rd')).toBe('# a\n\n  - b\tc!\nd');
    expect(plainText('safe\u202egpj.exe\x00\x1b]0;title\x07\u2028next 👨‍👩‍👧')).toBe('safegpj.exe\nnext 👨‍👩‍👧');
    expect(plainText('x'.repeat(10_000))).toHaveLength(10_000);
  });
});

describe('displayText', () => {
  it('H3: shows no escape sequence, control, line break, direction mark or endless text', () => {
    expect(displayText('a\x1b]0;x\x07b\x1b[31mc\x1b[0m\nd\te\x9b1mf\x00')).toBe('abc d ef');
    expect(displayText('safe\u202egpj.exe\u2066\u200f')).toBe('safegpj.exe');
    const cut = displayText('x'.repeat(10_000));
    expect([...cut]).toHaveLength(200);
    expect(cut.endsWith('…')).toBe(true);
    expect(displayText('\x1b]0;never ended')).toBe('');
  });

  it('shows nothing that cannot be seen', () => {
    const hidden = [
      '\u200b',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u3164',
      '\u115f',
      '\u{e0041}',
      '\ud800',
      '\u180e',
      '\ufff9',
    ];
    for (const mark of hidden) expect(displayText(`a${mark}b`)).toBe('ab');
    expect(displayText('a\u200db')).toBe('ab');
    expect(displayText('a\ufe0fb')).toBe('ab');
    expect(displayText(`Z${'\u0308'.repeat(50)}algo`)).toBe(`Z${'\u0308'.repeat(4)}algo`);
  });

  it('leaves one blank where what stood between two is taken out, and no joint where the end is cut off', () => {
    expect(displayText('a \u202e b')).toBe('a b');
    expect(displayText('👨\u200d👩', 3)).toBe('👨\u200d👩');
    expect(displayText('👨\u200d👩x', 3)).toBe('👨…');
  });

  it('keeps letters, accents and emoji of all kinds', () => {
    for (const text of ['Grüße, мир, 世界', 'e\u0301', '👨‍👩‍👧', '👩🏽‍💻', '❤️ ✳', '✋ Action Required', '1️⃣']) {
      expect(displayText(text)).toBe(text);
    }
  });

  it('gives a line that is clean whatever it is given, and cleaning it again changes nothing', () => {
    const nasty = fc.constantFrom(
      '\x1b',
      '\x1b]',
      '\x1b[',
      '\x07',
      '\n',
      '\u202e',
      '\u200d',
      '\ufe0f',
      '\ufdd0',
      '\ufe0e',
      '\u0308',
      '\u00a0',
      ' ',
      '❤',
      '👨',
      '1',
      'a',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(nasty, fc.string({ unit: 'binary' }))),
        fc.integer({ min: 1, max: 40 }),
        (parts, longest) => {
          const shown = displayText(parts.join(''), longest);
          expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufdd0-\ufdef]/u);
          expect(displayText(shown, longest)).toBe(shown);
        },
      ),
    );
  });
});
