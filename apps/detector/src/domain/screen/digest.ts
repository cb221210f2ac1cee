import type { ScreenView } from './view.js';

/** FNV-1a, 32 bits: it only has to tell one moment from the next. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A number that changes when what stands above the composer does: text that streams in is work, even where nothing else
 * says so. null: there is no composer.
 */
export function historyDigest({ rows, composer }: ScreenView): number | null {
  if (composer === null) return null;
  let hash = OFFSET_BASIS;
  for (const row of rows.slice(0, composer.top)) {
    for (let i = 0; i < row.text.length; i++) hash = Math.imul(hash ^ row.text.charCodeAt(i), PRIME);
    hash = Math.imul(hash ^ 0x0a, PRIME);
  }
  return hash >>> 0;
}
