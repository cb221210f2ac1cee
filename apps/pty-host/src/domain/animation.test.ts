import { describe, expect, it } from 'vitest';
import { isAnimated } from './animation.js';

describe('an animated line', () => {
  it.each([
    ['✻ Thinking… (9s · esc to interrupt)', '· Thinking… (10s · esc to interrupt)'],
    ['⠋ demo', '⠹⠸ demo'],
    ['◐ Working', '◓ Working'],
    ['Loading.', 'Loading...'],
    ['same', 'same'],
  ])('is the same in %j and %j', (before, after) => expect(isAnimated(before, after)).toBe(true));

  it.each([
    ['⠋ demo', 'demo'],
    ['✻ Thinking… (9s · esc to interrupt)', ''],
    ['✳ Claude', '⠂ Claude'],
    ['❯ 1. Yes', '  1. Yes'],
    ['✻ Thinking…', '✻ Thinkin'],
  ])('is another in %j and %j', (before, after) => expect(isAnimated(before, after)).toBe(false));
});
