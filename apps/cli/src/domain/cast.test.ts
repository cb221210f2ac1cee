import { describe, expect, it } from 'vitest';
import { isCast, parseCast } from './cast.js';

const HEAD = '{"version":2,"width":80,"height":24}';

describe('a recording', () => {
  it('is told from the text of a screen by its header', () => {
    expect(isCast(`${HEAD}\n[0.1,"o","x"]\n`)).toBe(true);
    expect(isCast('{"version":3,"term":{}}')).toBe(true);
    expect(['', 'hello\n> ', '{"a":1}', '[1]', 'null'].map(isCast)).toEqual([false, false, false, false, false]);
  });

  it('gives output and sizes, and leaves out input and marks', () => {
    const text = `${HEAD}\n[0.1,"o","a"]\n[0.2,"i","b"]\n[0.3,"r","100x30"]\n[0.4,"m","c"]\n`;
    expect(parseCast(text)).toEqual({
      cols: 80,
      rows: 24,
      events: [
        { t: 0.1, kind: 'o', data: 'a' },
        { t: 0.3, kind: 'r', data: '100x30' },
      ],
    });
  });

  it('is read up to a last line that was cut off', () => {
    expect(parseCast(`${HEAD}\n[0.1,"o","a"]\n[0.2,"o","b`).events).toHaveLength(1);
  });

  it.each([
    ['{"version":3}\n', /version 2/],
    ['{"version":2,"width":0,"height":24}\n', /line 1/],
    [`${HEAD}\n[0.1,"o"]\n[0.2,"o","a"]\n`, /line 2/],
  ])('is refused with the reason: %j', (text, reason) => {
    expect(() => parseCast(text)).toThrow(reason);
  });
});
