/**
 * Mulberry32: small, quick, and the same everywhere for the same seed, so that a failure can be repeated.
 *
 * @param {number} seed
 */
export function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    /** @returns a number in [0, 1) */
    next,
    /** @returns an integer in [0, limit) */
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
