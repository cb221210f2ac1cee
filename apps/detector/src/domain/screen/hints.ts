/** Key hints, as dialogs show them at their end: what a key does here. */
export interface Hints {
  readonly confirms: boolean;
  readonly cancels: boolean;
  readonly moves: boolean;
}

const KEY = String.raw`(?:enter|return|esc(?:ape)?|tab|space|⏎|↵|⎋|ctrl[+-]\w|[↑↓←→⇆↕⇅][\/ ]?[↑↓←→]?|up\/down|arrows?(?: keys)?|\[?[a-z]\]?)`;
const verb = (words: string) =>
  new RegExp(String.raw`(?:^|[\s·•|,(])(?:press )?${KEY}(?:\/${KEY})*\s*[:=]?\s*(?:to |key to )?(?:${words})\b`, 'iu');
const CONFIRM = verb(
  'select|confirm|submit|continue|choose|accept|approve|allow|apply|answer|proceed|open|run|save|pick|yes|ok',
);
const CANCEL = verb('cancel|go back|back|dismiss|reject|deny|decline|skip|exit|close|quit|abort|no|interrupt');
const MOVE = verb('navigate|move|select|scroll|switch|change|cycle');
const ARROWS = /[↑↓⇆↕⇅]|\bup\/down\b|\barrows?\b/iu;
const PRESS = /\bpress (?:enter|return|any key|space|y)\b(?: (?:to|and|or)\b|\.|$)/iu;
const ENTER = /\b(?:enter|return)\b|[⏎↵]/iu;

/** Runs of blanks cost an expression with several places for them dearly. */
const squeezed = (line: string): string => line.replace(/\s+/gu, ' ');

/** What a line offers, or null when it is no line of key hints. */
export function hintsIn(text: string): Hints | null {
  const line = squeezed(text);
  const confirms = (CONFIRM.test(line) && (ENTER.test(line) || ARROWS.test(line))) || PRESS.test(line);
  const cancels = CANCEL.test(line);
  const moves = MOVE.test(line) && ARROWS.test(line);
  return confirms || cancels || moves ? { confirms, cancels, moves } : null;
}

/** Words with which an option answers a question, for itself or before more. */
const ANSWER =
  /^(?:[[(<]?\w?[\])>]?\s*)?(?:\d+[.)]\s*)?(?:yes|no|allow|deny|approve|reject|accept|decline|proceed|continue|cancel|abort|trust|don['’]?t|do not|always|never|skip|exit|quit|ok|log ?in|sign ?in|once|run|submit|retry|keep|discard|grant|refuse)\b/iu;

export const isAnswer = (option: string): boolean => ANSWER.test(option.trim());

/** A question in words, which alone proves nothing. */
const QUESTION =
  /\?\s*(?:\(.*\)|\[.*\])?\s*$|^\s*(?:[^a-z]*\s)?(?:allow|approve|confirm|permission|grant|please (?:choose|select|confirm|log ?in|sign ?in|answer)|(?:choose|select|pick) (?:an?|one|the|how|your)\b)/iu;

export const isQuestion = (line: string): boolean => QUESTION.test(squeezed(line));

/** `[y] Approve`: a key in brackets before what it answers. */
const KEYED = /^[[(<]\w[\])>]\s/u;

/** `[y] Approve   [n] Deny`, `Allow once   Allow always   Reject`: answers side by side. */
export function buttonsIn(line: string): string[] {
  const parts = line
    .trim()
    .split(/\s{2,}|\s[|│·]\s/u)
    .map((part) => part.replace(/^[❯›>→●▶◉▸\s]+/u, '').trim())
    .filter((part) => part !== '' && (KEYED.test(part) || hintsIn(` ${part}`) === null));
  const answers = parts.filter(isAnswer);
  return answers.length >= 2 ? answers : [];
}

const YES_NO =
  /(?:[[(]\s*y(?:es)?\s*[/|]\s*n(?:o)?(?:\s*[/|]\s*\w+)*\s*[\])]|\(y\)es\/\(n\)o(?:\/\(\w\)[\w' ]+)*)\s*(?:[[(]\w+[\])])?\s*[:?>]?\s*$/iu;

/** A line that ends in `(y/n)` or the like, with nothing typed after it. */
export const asksYesNo = (line: string): boolean => YES_NO.test(squeezed(line));
