/**
 * What a screen shows of a prompt. Composers wrap, frame and shorten what is pasted into them, so text is compared by its
 * letters and digits only, and by its end, which is where the cursor is.
 */
const WORD = /[\p{L}\p{N}]/gu;
/** Long enough to be no accident, short enough to stand in one row of a narrow composer. */
const TAIL = 16;
/** Fewer letters than this are everywhere on a screen. */
const LEAST_TAIL = 3;
/** `[Pasted text #1 +99 lines]`, `[Pasted Content 4500 chars]`, `[Pasted ~100 lines]`: shown in place of a long paste. */
const PLACEHOLDER = /\[\s*pasted?\b[^\]\n]{0,60}\]/gi;

/** By what a prompt is recognised on a screen; null: it has no letters worth looking for. */
export type Fingerprint = string | null;

export function fingerprintOf(prompt: string): Fingerprint {
  const tail = lettersOf(prompt).slice(-TAIL).join('');
  return tail.length < LEAST_TAIL ? null : tail;
}

/** Where a screen shows the prompt, counted in rows from the bottom of what is on it; null: nowhere. */
export interface Sighting {
  /** How often it is there. */
  readonly count: number;
  /** Of the lowest one. */
  readonly fromBottom: number;
}

export interface Look {
  readonly text: string;
  readonly prompt: Sighting | null;
  readonly placeholder: Sighting | null;
}

export function lookAt(text: string, fingerprint: Fingerprint): Look {
  return {
    text,
    prompt: fingerprint === null ? null : sightingOf(text, fingerprint),
    placeholder: placeholdersIn(text),
  };
}

/** In which form the prompt stands in a composer. */
export type Marker = 'prompt' | 'placeholder';

/** The form in which the prompt stands in the composer now and did not before; null: it does not. */
export function appeared(before: Look, now: Look): Marker | null {
  if (isNew(before.placeholder, now.placeholder)) return 'placeholder';
  return isNew(before.prompt, now.prompt) ? 'prompt' : null;
}

/** Whether what stood in the composer has left it: it is gone, or has moved up into the transcript. */
export function hasLeft(marker: Marker, composed: Look, now: Look): boolean {
  return hasMoved(composed[marker], now[marker]);
}

function hasMoved(before: Sighting | null, now: Sighting | null): boolean {
  if (before === null) return false;
  return now === null || now.fromBottom > before.fromBottom;
}

function isNew(before: Sighting | null, now: Sighting | null): boolean {
  if (now === null) return false;
  return before === null || now.count > before.count || now.fromBottom < before.fromBottom;
}

function sightingOf(text: string, fingerprint: string): Sighting | null {
  const rows = text.trimEnd().split('\n');
  let letters = '';
  /** For each row, where its letters end. */
  const ends = rows.map((row) => {
    letters += lettersOf(row).join('');
    return letters.length;
  });
  let count = 0;
  let last = -1;
  for (let at = letters.indexOf(fingerprint); at !== -1; at = letters.indexOf(fingerprint, at + 1)) {
    count++;
    last = at + fingerprint.length;
  }
  if (count === 0) return null;
  return { count, fromBottom: rows.length - 1 - ends.findIndex((end) => end >= last) };
}

function placeholdersIn(text: string): Sighting | null {
  const body = text.trimEnd();
  const all = [...body.matchAll(PLACEHOLDER)];
  const last = all.at(-1);
  if (last === undefined) return null;
  return { count: all.length, fromBottom: body.slice(last.index).split('\n').length - 1 };
}

const lettersOf = (text: string): string[] => text.match(WORD) ?? [];
