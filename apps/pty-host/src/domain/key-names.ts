/** Keys that enter something or have a character of their own. */
export type EnteringKey = 'enter' | 'tab' | 'escape' | 'backspace' | 'space';
export type NamedKey = EnteringKey | (string & {});

/** `CSI number ~`, or `CSI letter` (`SS3 letter` in application cursor mode, for F1 to F4 always). */
export type FunctionCode = { readonly number: number } | { readonly letter: string; readonly always?: boolean };

export const FUNCTION_KEYS: Readonly<Record<string, FunctionCode>> = {
  up: { letter: 'A' },
  down: { letter: 'B' },
  right: { letter: 'C' },
  left: { letter: 'D' },
  end: { letter: 'F' },
  home: { letter: 'H' },
  insert: { number: 2 },
  delete: { number: 3 },
  pageup: { number: 5 },
  pagedown: { number: 6 },
  f1: { letter: 'P', always: true },
  f2: { letter: 'Q', always: true },
  f3: { letter: 'R', always: true },
  f4: { letter: 'S', always: true },
  f5: { number: 15 },
  f6: { number: 17 },
  f7: { number: 18 },
  f8: { number: 19 },
  f9: { number: 20 },
  f10: { number: 21 },
  f11: { number: 23 },
  f12: { number: 24 },
};

/** What the numeric keypad types, and the letter after SS3 in application keypad mode. */
export const KEYPAD_KEYS: Readonly<Record<string, { readonly plain: string; readonly application: string }>> = {
  kp_0: { plain: '0', application: 'p' },
  kp_1: { plain: '1', application: 'q' },
  kp_2: { plain: '2', application: 'r' },
  kp_3: { plain: '3', application: 's' },
  kp_4: { plain: '4', application: 't' },
  kp_5: { plain: '5', application: 'u' },
  kp_6: { plain: '6', application: 'v' },
  kp_7: { plain: '7', application: 'w' },
  kp_8: { plain: '8', application: 'x' },
  kp_9: { plain: '9', application: 'y' },
  kp_enter: { plain: '\r', application: 'M' },
  kp_plus: { plain: '+', application: 'k' },
  kp_minus: { plain: '-', application: 'm' },
  kp_multiply: { plain: '*', application: 'j' },
  kp_divide: { plain: '/', application: 'o' },
  kp_decimal: { plain: '.', application: 'n' },
};

const OTHER_NAMES: Readonly<Record<string, NamedKey>> = {
  enter: 'enter',
  return: 'enter',
  tab: 'tab',
  escape: 'escape',
  esc: 'escape',
  backspace: 'backspace',
  bspace: 'backspace',
  space: 'space',
  del: 'delete',
  ins: 'insert',
  page_up: 'pageup',
  pgup: 'pageup',
  page_down: 'pagedown',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
};

/** Every name, in lower case, and the key it means. */
export const NAMED_KEYS: Readonly<Record<string, NamedKey>> = {
  ...Object.fromEntries([...Object.keys(FUNCTION_KEYS), ...Object.keys(KEYPAD_KEYS)].map((name) => [name, name])),
  ...Object.fromEntries(
    ['up', 'down', 'left', 'right'].flatMap((name) =>
      [`arrow_${name}`, `arrow-${name}`, `arrow${name}`].map((as) => [as, name]),
    ),
  ),
  ...OTHER_NAMES,
};
