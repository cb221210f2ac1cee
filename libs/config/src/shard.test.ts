import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { shardOf } from './shard.js';

describe('shardOf', () => {
  it('is FNV-1a, so that its answers never change between versions', () => {
    expect(shardOf('', 2 ** 31)).toBe(0x811c9dc5 % 2 ** 31);
    expect(shardOf('foobar', 2 ** 32)).toBe(0xbf9cf968);
  });

  it('spreads surfaces over the shards', () => {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) {
      const shard = shardOf(randomUUID().toUpperCase(), 4);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(700);
  });
});
