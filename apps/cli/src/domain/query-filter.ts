/**
 * Questions that programs ask their terminal. The yard answers them itself, attached or not. If the terminal it is shown
 * in saw them too, its answers would be typed into the program as well: there, out of time, they are keystrokes.
 */
const CSI_QUESTIONS = [
  /^[>=]?[\d;]*c$/, // device attributes
  /^\??[\d;]*n$/, // status, cursor position, colour scheme
  /^>[\d;]*q$/, // name and version
  /^\?u$/, // keyboard protocol
  /^\?[\d;]*m$/, // key modifier options
  /^\??[\d;]*\$p$/, // state of a mode
  /^\d*\$[uw]$/, // terminal state and presentation
  /^[\d;]*\*y$/, // checksum of an area
  /^\d?x$/, // terminal parameters
  /^(?:1[1345689]|2[01])(?:;\d*)*t$/, // state, place and size of window and cells, title
  /^\?[\d;]*S$/, // limits of graphics
];
/** Of these a `?` in the place of a value asks for it: colours, clipboard, pointer, program status. */
const OSC_QUESTION = /^(?:4|5|1\d|2[12]|52|7501)(?=;)(?:.*[;=])?\?(?:;|$)/s;
const OSC_OTHER_QUESTIONS = [
  /^99;(?:[^;]*:)?p=\?(?:[:;]|$)/, // notifications
  /^1337;(?:ReportCellSize|Capabilities|ReportVariable=)/,
];
/** Capabilities, settings, resources. */
const DCS_QUESTION = /^[\d;]*(?:[+$]q|\+Q)/;
const GRAPHICS_QUESTION = /^G(?:[^;]*,)?a=q(?:[,;]|$)/;

/** Introducers, in their two-character form and as one C1 control in UTF-8; DECID (`ESC Z`) and ENQ ask by themselves. */
const NEXT = /[\x1b\x05]|\xc2[\x90\x9a\x9b\x9d\x9f]?/g;
const ONE_CHARACTER: Readonly<Record<string, string>> = {
  '\xc2\x90': 'P',
  '\xc2\x9a': 'Z',
  '\xc2\x9b': '[',
  '\xc2\x9d': ']',
  '\xc2\x9f': '_',
};
const CSI_BODY = /[0-?]*[ -/]*/y;
const STRING_END = /\x07|\x1b\\?|\xc2\x9c|[\x18\x1a]/g;
/** No question is longer (one for many capabilities may have a few thousand); a longer beginning is output like any other. */
const LONGEST = 4096;

/** A sequence that begins at a place; without an end it is not all there yet. */
interface Sequence {
  readonly end: number | undefined;
  readonly question: boolean;
}

/** Takes the questions out of a stream of output that arrives in pieces. Bytes, not text: latin1 keeps each as it is. */
export class QueryFilter {
  #held = '';

  push(bytes: Buffer): Buffer {
    const text = this.#held + bytes.toString('latin1');
    this.#held = '';
    let shown = '';
    let at = 0;
    while (at < text.length) {
      NEXT.lastIndex = at;
      const start = NEXT.exec(text)?.index ?? text.length;
      shown += text.slice(at, start);
      const { end, question } = sequenceAt(text, start);
      if (end === undefined) {
        if (text.length - start <= LONGEST) this.#held = text.slice(start);
        else shown += text.slice(start);
        break;
      }
      if (!question) shown += text.slice(start, end);
      at = end;
    }
    return Buffer.from(shown, 'latin1');
  }
}

function sequenceAt(text: string, start: number): Sequence {
  if (start >= text.length) return { end: start, question: false };
  if (text[start] === '\x05') return { end: start + 1, question: true };
  const kind = text[start] === '\x1b' ? text[start + 1] : ONE_CHARACTER[text.slice(start, start + 2)];
  if (kind === undefined) return start + 1 < text.length ? { end: start + 1, question: false } : UNFINISHED;
  const body = start + 2;
  if (kind === '[') return csiAt(text, body);
  if (kind === ']') return stringAt(text, body, true, isOscQuestion);
  if (kind === 'P') return stringAt(text, body, false, (data) => DCS_QUESTION.test(data));
  if (kind === '_') return stringAt(text, body, false, (data) => GRAPHICS_QUESTION.test(data));
  return { end: kind === '\x1b' ? start + 1 : body, question: kind === 'Z' };
}

const UNFINISHED: Sequence = { end: undefined, question: false };

function csiAt(text: string, body: number): Sequence {
  CSI_BODY.lastIndex = body;
  CSI_BODY.exec(text);
  const last = Math.max(CSI_BODY.lastIndex, body);
  const final = text[last];
  if (final === undefined) return UNFINISHED;
  if (final < '@' || final > '~') return { end: last, question: false };
  const inner = text.slice(body, last + 1);
  return { end: last + 1, question: CSI_QUESTIONS.some((pattern) => pattern.test(inner)) };
}

/** @param bel whether a BEL ends it, as it does an OSC */
function stringAt(text: string, body: number, bel: boolean, isQuestion: (data: string) => boolean): Sequence {
  for (STRING_END.lastIndex = body; ; ) {
    const match = STRING_END.exec(text);
    if (match === null) return UNFINISHED;
    const [mark] = match;
    if (mark === '\x07' && !bel) continue;
    if (mark === '\x1b' && match.index === text.length - 1) return UNFINISHED;
    // Cut off by another sequence, which is looked at by itself, or by CAN and SUB: then it means nothing.
    const cut = mark === '\x1b' || mark === '\x18' || mark === '\x1a';
    return {
      end: match.index + (mark === '\x1b' ? 0 : mark.length),
      question: !cut && isQuestion(text.slice(body, match.index)),
    };
  }
}

function isOscQuestion(data: string): boolean {
  return OSC_QUESTION.test(data) || OSC_OTHER_QUESTIONS.some((pattern) => pattern.test(data));
}
