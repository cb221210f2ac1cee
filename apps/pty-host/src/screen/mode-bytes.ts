import { DEC, type Modes } from './mode-tracker.js';

const ESC = '\x1b';
const CSI = `${ESC}[`;
const dec = (mode: number, on: boolean) => `${CSI}?${mode}${on ? 'h' : 'l'}`;

/** These move the cursor or change how characters are painted, so they are written at their own place. */
const PLACED: ReadonlySet<number> = new Set([DEC.origin, DEC.wrap]);

/** @returns bytes that set the kitty keyboard flags of one screen in a terminal that has none */
export function keyboardBytes(levels: readonly number[]): string {
  const [base = 0, ...pushed] = levels;
  return (base === 0 ? '' : `${CSI}=${base}u`) + pushed.map((flags) => `${CSI}>${flags}u`).join('');
}

function undoKeyboard(levels: readonly number[]): string {
  const [base = 0, ...pushed] = levels;
  return (pushed.length === 0 ? '' : `${CSI}<${pushed.length}u`) + (base === 0 ? '' : `${CSI}=0u`);
}

/** Modes that have no effect on painting or on the cursor. */
export function quietModeBytes(modes: Modes): string {
  let out = '';
  for (const [mode, on] of modes.decModes) if (!PLACED.has(mode)) out += dec(mode, on);
  if (modes.newLine) out += `${CSI}20h`;
  if (modes.modifyOtherKeys > 0) out += `${CSI}>4;${modes.modifyOtherKeys}m`;
  if (modes.cursorStyle > 0) out += `${CSI}${modes.cursorStyle} q`;
  for (const [name, colour] of modes.colours) out += `${ESC}]${name};${colour}${ESC}\\`;
  if (modes.title !== null) out += `${ESC}]2;${printable(modes.title)}${ESC}\\`;
  return out;
}

/** Region, origin and autowrap: each may move the cursor, so the cursor is placed after them. */
export function geometryBytes(modes: Modes): string {
  const region = modes.region === null ? '' : `${CSI}${modes.region.top};${modes.region.bottom}r`;
  const origin = modes.decModes.get(DEC.origin) ? dec(DEC.origin, true) : '';
  const wrap = modes.decModes.get(DEC.wrap) === false ? dec(DEC.wrap, false) : '';
  return region + origin + wrap;
}

/** Insert mode and character sets change what printing does, so they come last of all. */
export function printingBytes(modes: Modes): string {
  const charsets = [...modes.charsets].map(([slot, set]) => `${ESC}${slot}${set}`).join('');
  return charsets + (modes.insert ? `${CSI}4h` : '');
}

/** Well-known modes that are put back whatever we know of them: programs set them while a client is attached. */
const ALWAYS_OFF = [1, 66, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004];

/**
 * @returns bytes that put a terminal which showed these modes back to its defaults: what an attached client writes when
 *   it detaches. The text on its screen stays.
 */
export function restoreBytes(modes: Modes): string {
  let out = '';
  if (modes.altScreen !== null) out += undoKeyboard(modes.keyboard.alt) + dec(modes.altScreen, false);
  out += undoKeyboard(modes.keyboard.main);
  const off = new Set([...modes.decModes].filter(([, on]) => on).map(([mode]) => mode));
  for (const mode of ALWAYS_OFF) off.add(mode);
  for (const mode of off) out += dec(mode, false);
  for (const [mode, on] of modes.decModes) if (!on) out += dec(mode, true);
  out += dec(DEC.wrap, true) + dec(DEC.cursor, true);
  // Resetting the region moves the cursor home, so only when there is one.
  if (modes.region !== null) out += `${CSI}r`;
  out += `${CSI}4l${CSI}20l${CSI}>4;0m${CSI}0 q${CSI}m`;
  for (const slot of modes.charsets.keys()) out += `${ESC}${slot}B`;
  return `${out}\x0f${resetColours(modes)}`;
}

function resetColours(modes: Modes): string {
  const codes = [...modes.colours.keys()].map((name) => (name.startsWith('4;') ? `104;${name.slice(2)}` : `1${name}`));
  return codes.map((code) => `${ESC}]${code}${ESC}\\`).join('');
}

/** A title is text from a program: a control character in it would end the sequence early. */
function printable(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
}
