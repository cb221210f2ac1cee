import { describe, expect, it } from 'vitest';
import { parseSetup } from './setup-file.js';

describe('parseSetup', () => {
  it('reads patterns and commands, each optional', () => {
    const text = '{ "copy": [".env*"], /* slow */ "run": ["npm ci"] }';
    expect(parseSetup(text)).toEqual({ plan: { copy: ['.env*'], run: ['npm ci'] } });
    expect(parseSetup('{}')).toEqual({ plan: { copy: [], run: [] } });
  });

  it.each([
    ['{', /JSON|Expected|property/],
    ['[]', /must be an object/],
    ['{"copies": []}', /`copies` is not known/],
    ['{"copy": ".env"}', /`copy` must be a list/],
    ['{"run": [""]}', /`run` must be a list/],
    ['{"run": ["a\\u0000b"]}', /`run` must be a list/],
    ['{"copy": ["/etc/passwd"]}', /leads out of the repository/],
    ['{"copy": ["a/../../b"]}', /leads out of the repository/],
  ])('says what is wrong with %s', (text, problem) => {
    expect(parseSetup(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
