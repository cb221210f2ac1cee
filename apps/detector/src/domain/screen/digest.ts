import type { ScreenView } from './view.js';

/** FNV-1a, 32 bits: it only has to tell one moment from the next. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Counters, clocks and pictures move without anything being written. */
const LETTERS = /\p{L}+/gu;

/**
 * A number that changes when what stands above the composer does: text that streams in is work, even where nothing else
 * says so. null: there is no composer.
 */
export function historyDigest({ rows, composer }: ScreenView): number | null {
  if (composer === null) return null;
  let hash = OFFSET_BASIS;
  for (const row of rows.slice(0, composer.top)) {
    for (const letter of row.text.match(LETTERS) ?? []) {
      for (let i = 0; i < letter.length; i++) hash = Math.imul(hash ^ letter.charCodeAt(i), PRIME);
    }
  }
  return hash >>> 0;
}
