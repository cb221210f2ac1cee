import { expect, it } from 'vitest';
import { shortBytes } from './rate.js';

it('shows bytes in at most four signs', () => {
  const texts = [0, 812, 1024, 1229, 35_000_000, 2 ** 40].map(shortBytes);
  expect(texts).toEqual(['0', '812', '1.0K', '1.2K', '33M', '1024G']);
});
