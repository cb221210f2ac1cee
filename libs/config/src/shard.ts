const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Which of the pty-hosts of one host follows a surface. Every process computes the same answer, so nobody keeps a table.
 * FNV-1a over the ASCII of the id: short, stable for ever, and even enough for UUIDs.
 *
 * @param surfaceId canonical surface id
 * @param shards how many pty-hosts share the keeper, at least 1
 * @returns 0 … shards - 1
 */
export function shardOf(surfaceId: string, shards: number): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < surfaceId.length; i++) {
    hash = Math.imul(hash ^ (surfaceId.charCodeAt(i) & 0xff), FNV_PRIME);
  }
  return (hash >>> 0) % shards;
}
