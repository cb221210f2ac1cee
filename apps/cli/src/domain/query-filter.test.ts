import { describe, expect, it } from 'vitest';
import { QueryFilter } from './query-filter.js';

function shown(...pieces: string[]): string {
  const filter = new QueryFilter();
  return pieces.map((piece) => filter.push(Buffer.from(piece, 'latin1')).toString('latin1')).join('');
}

describe('the output of an attached terminal', () => {
  it('has no questions in it, since the yard answers them', () => {
    expect(shown('a\x1b[cb\x1b[>c\x1b[6n\x1b[?6n\x1b[>0q\x1b[?uc\x1b[?2026$p\x1b]11;?\x07d\x1bP+q544e\x1b\\e')).toBe(
      'abcde',
    );
  });

  it('keeps everything else byte for byte', () => {
    const text =
      '\x1b[1;31mred\x1b[0m\x1b[2J\x1b]0;title\x07\x1b[?25l\x1b[>4;1m\x1b[?1049h\xe2\x82\xac\x1b(B\x1b]4;1;rgb:0/0/0\x07';
    expect(shown(text)).toBe(text);
  });

  it('finds a question that arrives in pieces', () => {
    expect(shown('a\x1b', '[', '>', 'c', 'b')).toBe('ab');
    expect(shown('a\x1b]11', ';?\x1b', '\\b')).toBe('ab');
  });

  it('delays the beginning of another sequence only until its next byte', () => {
    expect(shown('a\x1b[', '31mb')).toBe('a\x1b[31mb');
    expect(shown('\x1b', 'M')).toBe('\x1bM');
  });
});
