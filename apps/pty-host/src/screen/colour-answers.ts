import type { Modes } from './mode-tracker.js';

/**
 * Answers to programs that ask which colours they are shown in. A screen without a display has none, so it answers as a
 * dark terminal would, and with what the program itself has set.
 */
const DEFAULTS: Readonly<Record<string, string>> = { 10: 'e5e5e5', 11: '000000', 12: 'e5e5e5' };
/** xterm's own. */
const ANSI = [
  ...['000000', 'cd0000', '00cd00', 'cdcd00', '0000ee', 'cd00cd', '00cdcd', 'e5e5e5'],
  ...['7f7f7f', 'ff0000', '00ff00', 'ffff00', '5c5cff', 'ff00ff', '00ffff', 'ffffff'],
];
const CUBE = ['00', '5f', '87', 'af', 'd7', 'ff'];
const FIRST_GREY = 232;
/** A sequence that asks for more than the whole palette asks twice. */
const MAX_QUESTIONS = 512;
const ST = '\x1b\\';

/**
 * @param osc 4, 10, 11 or 12
 * @param data `?`, or with 4 `index;?`; several of them follow each other, those of 10 and 11 mean the next number
 * @returns the answers, as one text; empty when nothing is asked
 */
export function colourAnswer(osc: number, data: string, colours: Modes['colours']): string {
  const parts = data.split(';', MAX_QUESTIONS);
  if (osc === 4) {
    const asked = parts.filter((_, i) => i % 2 === 0 && parts[i + 1] === '?' && /^\d{1,3}$/.test(parts[i] ?? ''));
    return asked
      .map((index) => answer(`4;${Number(index)}`, colours.get(`4;${index}`), palette(Number(index))))
      .join('');
  }
  const asked = parts.flatMap((part, i) => (part === '?' ? [String(osc + i)] : []));
  return asked.map((name) => answer(name, colours.get(name), DEFAULTS[name])).join('');
}

function answer(name: string, set: string | undefined, otherwise: string | undefined): string {
  const colour = (set === undefined ? undefined : channels(set)) ?? (otherwise && channels(`#${otherwise}`));
  return colour === undefined || colour === '' ? '' : `\x1b]${name};rgb:${colour}${ST}`;
}

function palette(index: number): string | undefined {
  if (index < ANSI.length) return ANSI[index];
  if (index > 255) return undefined;
  if (index >= FIRST_GREY) return (8 + 10 * (index - FIRST_GREY)).toString(16).padStart(2, '0').repeat(3);
  const place = index - ANSI.length;
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((level) => CUBE[level]).join('');
}

/** `#rgb`, `#rrggbb`, `rgb:r/g/b` and longer forms, as `rrrr/gggg/bbbb`; undefined for a name. */
function channels(specification: string): string | undefined {
  const hex = /^#((?:[0-9a-f]{3}){1,4})$/i.exec(specification)?.[1];
  const slashed = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(specification)?.slice(1);
  const digits = (hex?.length ?? 0) / 3;
  const three = hex === undefined ? slashed : [0, 1, 2].map((i) => hex.slice(i * digits, (i + 1) * digits));
  return three?.map((channel) => channel.repeat(4).slice(0, 4).toLowerCase()).join('/');
}
