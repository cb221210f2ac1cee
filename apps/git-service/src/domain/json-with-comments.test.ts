import { describe, expect, it } from 'vitest';
import { parseJsonWithComments } from './json-with-comments.js';

describe('parseJsonWithComments', () => {
  it('reads comments of both kinds and a comma too many', () => {
    const text = `{ // what
      "copy": [".env", /* and */ "a/*.key",],
    }`;
    expect(parseJsonWithComments(text)).toEqual({ copy: ['.env', 'a/*.key'] });
  });

  it('leaves strings alone that look like comments or ends', () => {
    expect(parseJsonWithComments('["http://x", "a /* b */", "\\"//", ",]"]')).toEqual([
      'http://x',
      'a /* b */',
      '"//',
      ',]',
    ]);
  });

  it('refuses what is no JSON otherwise', () => {
    expect(() => parseJsonWithComments('{ a: 1 }')).toThrow(SyntaxError);
    expect(() => parseJsonWithComments('[1,,]')).toThrow(SyntaxError);
  });
});
