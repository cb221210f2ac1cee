import { describe, expect, it } from 'vitest';
import { messageOf } from './message.js';

const comment = (file_path: string, start_line: number, end_line: number, text: string) => ({
  file_path,
  start_line,
  end_line,
  text,
});

describe('the message that comments become', () => {
  it('has a heading that counts them, and a line for each', () => {
    const comments = [comment('a.ts', 3, 3, 'why?'), comment('b c.ts', 4, 9, 'too long')];
    expect(messageOf(comments, undefined)).toBe('Code review comments (2):\n\na.ts:3 — why?\nb c.ts:4-9 — too long');
  });

  it('begins with what the caller says instead, unless that is blank', () => {
    expect(messageOf([comment('a', 1, 1, 'x')], 'Please fix:')).toBe('Please fix:\n\na:1 — x');
    expect(messageOf([comment('a', 1, 1, 'x')], ' \n')).toBe('Code review comments (1):\n\na:1 — x');
  });

  it('holds no line break that could be taken for Enter, and no key', () => {
    const comments = [comment('new\nline', 1, 1, ' first\r\n\n  second\x1b[201~\x03 ')];
    expect(messageOf(comments, undefined)).toBe('Code review comments (1):\n\nnew / line:1 — first / second[201~');
  });
});
