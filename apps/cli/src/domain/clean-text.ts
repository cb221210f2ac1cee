/** Terminal titles, names and notifications come from programs; more than this of one is no help to a reader. */
const LONGEST = 200;

/** Whole escape sequences: OSC, DCS, PM, APC and SOS up to their end, CSI, and two-character ones. */
const SEQUENCES =
  /\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[\x1b]\[[0-?]*[ -/]*[@-~]?|\x9b[0-?]*[ -/]*[@-~]?|\x1b./gs;
/** Controls, and marks that reorder or break what is shown around them. */
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
const CONTROLS_BUT_LINES =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Text that a program chose, made safe to show in a line or a table of somebody's terminal: no escape sequence, no
 * control character, no mark that turns the writing direction, not too long. JSON output shows it as it is.
 */
export function cleanText(text: string, longest: number = LONGEST): string {
  const clean = text.replace(SEQUENCES, '').replace(CONTROLS, ' ').trim();
  const characters = [...clean];
  return characters.length <= longest ? clean : `${characters.slice(0, longest - 1).join('')}…`;
}

/** The same for many lines: line breaks and tabs stay, nothing is cut off. */
export function cleanLines(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS_BUT_LINES, '');
}
