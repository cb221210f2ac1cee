/** Then it is given up: what could not be told for an hour is no news. */
export const MOST_ATTEMPTS = 6;
const DELAYS_MS = [1000, 5000, 30_000, 300_000, 1_800_000] as const;

/**
 * @param attempts that have failed
 * @returns milliseconds to wait for the next one; null: there is none
 */
export function retryDelay(attempts: number): number | null {
  return attempts >= MOST_ATTEMPTS ? null : (DELAYS_MS[attempts - 1] ?? DELAYS_MS[0]);
}
