import { median, quantile } from './stats.mjs';

/**
 * Measures the sides in turns, so that what else happens on the machine meets all of them.
 *
 * @param {number} rounds
 * @param {Record<string, () => Promise<T>>} sides
 * @returns {Promise<Record<string, T[]>>} what each gave in each round
 * @template T
 */
export async function inTurns(rounds, sides) {
  const all = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let i = 0; i < rounds; i++) {
    for (const [name, work] of Object.entries(sides)) all[name].push(await work());
  }
  return all;
}

/** The median over the rounds of a quantile within each. @param {number[][]} rounds */
export const medianQuantile = (rounds, q) => median(rounds.map((values) => quantile(values, q)));

/** Rows for p50 and p99 in milliseconds. */
export function quantileRows(what, ours, other, { than, target }) {
  return [0.5, 0.99].map((q) => ({
    what: `${what}, p${q * 100}`,
    unit: 'ms',
    ours: medianQuantile(ours, q),
    other: other ? medianQuantile(other, q) : null,
    than: other ? than : '',
    better: 'lower',
    ...(target && { target }),
  }));
}
