import { describe, expect, it } from 'vitest';
import { isFilter, isLiteral } from './subject.js';

describe('a subject', () => {
  it('to publish to has tokens and no wildcard', () => {
    for (const good of ['a', 'a.b', '$SRV.PING', 'a.b*c', 'a.>b', 'ü.b']) expect(isLiteral(good), good).toBe(true);
    for (const bad of ['', '.', '.a', 'a.', 'a..b', 'a.*', 'a.>', '*', '>', 'a b', 'a\tb']) {
      expect(isLiteral(bad), bad).toBe(false);
    }
  });

  it('to subscribe to may have wildcards, the greedy one only at the end', () => {
    for (const good of ['a', '*', '>', 'a.*.b', 'a.>', '*.>']) expect(isFilter(good), good).toBe(true);
    for (const bad of ['', 'a.', '.a', 'a..b', '>.a', 'a.>.b', 'a b']) expect(isFilter(bad), bad).toBe(false);
  });
});
