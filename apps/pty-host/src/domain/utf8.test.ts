import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Utf8Decoder } from './utf8.js';

it('B1, B2: decodes any bytes the same however they are cut', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: 'grapheme' }).map((s) => Buffer.from(s)),
  );
  fc.assert(
    fc.property(fc.array(bytes), (chunks) => {
      const decoder = new Utf8Decoder();
      const text = chunks.map((chunk) => decoder.decode(Buffer.from(chunk))).join('');
      const all = Buffer.concat(chunks);
      expect(text).toBe(all.toString('utf8', 0, all.length - decoder.waiting));
      expect(decoder.waiting).toBeLessThan(4);
    }),
    { numRuns: 500 },
  );
});
