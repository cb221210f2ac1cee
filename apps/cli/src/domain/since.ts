import { parseDuration } from './duration.js';

/**
 * A time that a person wrote: how long ago (`10m`), or when (`2026-11-30T22:00`, in their own zone).
 *
 * @param now Unix milliseconds
 * @returns Unix milliseconds, undefined when it is none
 */
export function parseSince(text: string, now: number): number | undefined {
  const ago = parseDuration(text);
  if (ago !== undefined) return now - ago;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
