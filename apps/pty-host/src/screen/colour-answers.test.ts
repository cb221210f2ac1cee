import { describe, expect, it } from 'vitest';
import { colourAnswer } from './colour-answers.js';

const NONE = new Map<string, string>();

describe('questions for colours', () => {
  it('are answered for text, background and cursor as a dark terminal would', () => {
    expect(colourAnswer(10, '?', NONE)).toBe('\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\');
    expect(colourAnswer(11, '?', NONE)).toBe('\x1b]11;rgb:0000/0000/0000\x1b\\');
    expect(colourAnswer(10, '?;?', NONE)).toBe(colourAnswer(10, '?', NONE) + colourAnswer(11, '?', NONE));
    expect(colourAnswer(11, '#102030', NONE)).toBe('');
  });

  it('are answered with what the program has set, in whatever notation', () => {
    const set = (specification: string) => colourAnswer(11, '?', new Map([['11', specification]]));
    expect(set('#123')).toBe('\x1b]11;rgb:1111/2222/3333\x1b\\');
    expect(set('#1e1E2e')).toBe('\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\');
    expect(set('rgb:f/ab/1234')).toBe('\x1b]11;rgb:ffff/abab/1234\x1b\\');
    expect(set('tomato')).toBe(colourAnswer(11, '?', NONE));
  });

  it('are answered for every place of the palette and no other', () => {
    expect(colourAnswer(4, '1;?', NONE)).toBe('\x1b]4;1;rgb:cdcd/0000/0000\x1b\\');
    expect(colourAnswer(4, '16;?;231;?', NONE)).toBe(
      '\x1b]4;16;rgb:0000/0000/0000\x1b\\\x1b]4;231;rgb:ffff/ffff/ffff\x1b\\',
    );
    expect(colourAnswer(4, '67;?', NONE)).toBe('\x1b]4;67;rgb:5f5f/8787/afaf\x1b\\');
    expect(colourAnswer(4, '244;?', NONE)).toBe('\x1b]4;244;rgb:8080/8080/8080\x1b\\');
    for (const data of ['256;?', '-1;?', '1;#fff', '?', '', 'x;?']) expect(colourAnswer(4, data, NONE)).toBe('');
  });
});
