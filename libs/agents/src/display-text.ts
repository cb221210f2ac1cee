/** More of one text from a program is no help to a reader. */
const LONGEST = 200;

/** Whole escape sequences: OSC, DCS, PM, APC and SOS up to their end, CSI, and two-character ones. */
const SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
const LINE_ENDS = /\r\n?|[\v\f\x85\u2028\u2029]/g;
const LAYOUT = /[\n\t]/g;
const BREAKS = /[\t-\r\x85\u2028\u2029 ]+/g;
/**
 * Controls, marks that turn the writing direction, tags, fillers and everything else that has no glyph of its own, and
 * halves of characters. Only what joins or colours an emoji stays.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const EMOJI_JOINT = /(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;
const EMOJI_STYLE = /(?<=[\p{Emoji}])[\ufe0e\ufe0f]/gu;
const JOINT_AT_END = /\u200d$/;
/** Stand for what is kept while the rest is taken out; noncharacters, which no text may hold. */
const KEPT = { '\u200d': '\ufdd0', '\ufe0f': '\ufdd1', '\ufe0e': '\ufdd2', '\n': '\ufdd3', '\t': '\ufdd4' } as const;
const KEPT_BACK = new Map(Object.entries(KEPT).map(([mark, stand]) => [stand as string, mark]));
const STANDS = /[\ufdd0-\ufdef]/g;
/** More marks on one letter paint over the lines around it. */
const PILE = /(\p{M}{4})\p{M}+/gu;

/**
 * Text that a program chose, made safe to show in one line: without escape sequences, controls, marks that turn the
 * writing direction, invisible characters and line breaks, and not too long. What is stored and given to programs (JSON)
 * stays as it was sent.
 *
 * @param longest characters, the ellipsis among them
 */
export function displayText(text: string, longest: number = LONGEST): string {
  const whole = visible(text.replace(STANDS, '').replace(SEQUENCES, '').replace(BREAKS, ' '));
  const clean = whole.replace(BREAKS, ' ').trim(); // What stood between two of them may be gone.
  const characters = [...clean];
  if (characters.length <= longest) return clean;
  const cut = characters.slice(0, longest - 1).join('');
  return `${cut.replace(JOINT_AT_END, '')}…`;
}

/** As {@link displayText}, but whole: its lines, its tabs and its blanks stay. */
export function plainText(text: string): string {
  const oneBreak = text.replace(STANDS, '').replace(SEQUENCES, '').replace(LINE_ENDS, '\n');
  return visible(oneBreak.replace(LAYOUT, (mark) => KEPT[mark as keyof typeof KEPT]));
}

function visible(text: string): string {
  return text
    .replace(EMOJI_JOINT, KEPT['\u200d'])
    .replace(EMOJI_STYLE, (mark) => KEPT[mark as keyof typeof KEPT])
    .replace(INVISIBLE, '')
    .replace(STANDS, (stand) => KEPT_BACK.get(stand) ?? '')
    .replace(PILE, '$1');
}
