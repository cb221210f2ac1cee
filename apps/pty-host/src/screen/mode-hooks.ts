import type { IParser } from '@xterm/headless';
import type { ModeTracker } from './mode-tracker.js';

/** SCS designates one of G0 … G3 by these; a final byte names the set. */
const CHARSET_SLOTS = ['(', ')', '*', '+'];
const CHARSETS = ['0', 'A', 'B', '4', '5', 'C', 'E', 'H', 'K', 'Q', 'R', 'Y', 'Z', '6', '7', '<', '='];

/**
 * Lets `tracker` see the control sequences of a parser. Every hook answers false, so that xterm handles the sequence
 * as well.
 *
 * @param rows present height of the terminal
 */
export function hookModes(parser: IParser, tracker: ModeTracker, rows: () => number): void {
  const csi = (
    id: { prefix?: string; intermediates?: string; final: string },
    fn: (p: (number | number[])[]) => void,
  ) => parser.registerCsiHandler(id, (params) => seen(() => fn(params)));
  const esc = (id: { intermediates?: string; final: string }, fn: () => void) =>
    parser.registerEscHandler(id, () => seen(fn));

  csi({ prefix: '?', final: 'h' }, (p) => tracker.setDec(p, true));
  csi({ prefix: '?', final: 'l' }, (p) => tracker.setDec(p, false));
  csi({ final: 'h' }, (p) => tracker.setAnsi(p, true));
  csi({ final: 'l' }, (p) => tracker.setAnsi(p, false));
  csi({ prefix: '>', final: 'u' }, (p) => tracker.pushKeyboard(p));
  csi({ prefix: '<', final: 'u' }, (p) => tracker.popKeyboard(p));
  csi({ prefix: '=', final: 'u' }, (p) => tracker.setKeyboard(p));
  csi({ prefix: '>', final: 'm' }, (p) => tracker.setKeyModifiers(p));
  csi({ prefix: '>', final: 'n' }, (p) => tracker.setKeyModifiers(p.slice(0, 1)));
  csi({ intermediates: ' ', final: 'q' }, (p) => tracker.setCursorStyle(p));
  csi({ final: 'r' }, (p) => tracker.setRegion(p, rows()));
  csi({ intermediates: '!', final: 'p' }, () => tracker.softReset());
  esc({ final: '=' }, () => tracker.setKeypad(true));
  esc({ final: '>' }, () => tracker.setKeypad(false));
  esc({ final: 'c' }, () => tracker.hardReset());
  for (const slot of CHARSET_SLOTS) {
    for (const set of CHARSETS) esc({ intermediates: slot, final: set }, () => tracker.designate(slot, set));
  }
  for (const osc of [4, 10, 11, 12]) parser.registerOscHandler(osc, (data) => seen(() => tracker.setColour(osc, data)));
  for (const osc of [104, 110, 111, 112]) {
    parser.registerOscHandler(osc, (data) => seen(() => tracker.resetColour(osc, data)));
  }
}

function seen(fn: () => void): false {
  fn();
  return false;
}
