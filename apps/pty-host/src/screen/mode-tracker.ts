/**
 * What a program has asked of its terminal besides the characters on the screen. xterm answers only some of it
 * (`terminal.modes`), and the serialize addon keeps fewer; all of it is needed to rebuild a terminal or to attach one.
 *
 * A pure state machine: the screen feeds it each control sequence, `mode-bytes.ts` turns its state back into bytes.
 */
export interface Modes {
  /** DECSET modes that differ from their default, in the order in which they were set (later mouse modes win). */
  readonly decModes: ReadonlyMap<number, boolean>;
  readonly insert: boolean;
  readonly newLine: boolean;
  /** Kitty keyboard flags; the last of the list is in force, the first is the base. One list per screen. */
  readonly keyboard: { readonly main: readonly number[]; readonly alt: readonly number[] };
  readonly modifyOtherKeys: number;
  /** DECSCUSR; 0 is the user's own choice. */
  readonly cursorStyle: number;
  /** DECSTBM, rows counted from 1; null is the whole screen. */
  readonly region: { readonly top: number; readonly bottom: number } | null;
  /** Designator of each of G0 … G3 that is not ASCII, e.g. `(0` for line drawing. */
  readonly charsets: ReadonlyMap<string, string>;
  /** Which DECSET entered the other screen, or null on the main one. */
  readonly altScreen: number | null;
  readonly title: string | null;
  /** Colours set with OSC: `10`, `11`, `12` or `4;N` → specification. */
  readonly colours: ReadonlyMap<string, string>;
}

type Param = number | number[];

/** On after a reset: autowrap, auto-repeat, visible cursor. */
const ON_BY_DEFAULT: ReadonlySet<number> = new Set([7, 8, 25]);
/** Each set replaces the others, and a reset of one turns all off, as in xterm. */
const MOUSE_EVENTS: ReadonlySet<number> = new Set([9, 1000, 1001, 1002, 1003]);
const MOUSE_ENCODINGS: ReadonlySet<number> = new Set([1005, 1006, 1015, 1016]);
const ALT_SCREENS: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** Not a lasting state: save/restore cursor, synchronized output, 132 columns. */
const MOMENTARY: ReadonlySet<number> = new Set([3, 1048, 2026]);
/** What DECSTR puts back. */
const SOFT_RESET: ReadonlySet<number> = new Set([1, 6, 7, 25, 45, 66, 69]);

export const DEC = { appCursor: 1, origin: 6, wrap: 7, cursor: 25, appKeypad: 66, bracketedPaste: 2004 } as const;

/** Programs nest a few levels; kitty itself keeps a bounded stack and drops the oldest. */
const KEYBOARD_LEVELS = 32;
const MAX_DEC_MODES = 256;
const MAX_COLOURS = 512;
const MAX_TITLE = 1024;
const MAX_COLOUR_SPEC = 64;

const first = (params: readonly Param[], fallback: number, at = 0): number => {
  const value = params[at];
  const number = Array.isArray(value) ? value[0] : value;
  return number === undefined || number < 0 ? fallback : number;
};

export class ModeTracker implements Modes {
  readonly decModes = new Map<number, boolean>();
  readonly charsets = new Map<string, string>();
  readonly colours = new Map<string, string>();
  readonly keyboard: { main: number[]; alt: number[] } = { main: [0], alt: [0] };
  insert = false;
  newLine = false;
  modifyOtherKeys = 0;
  cursorStyle = 0;
  region: { top: number; bottom: number } | null = null;
  altScreen: number | null = null;
  title: string | null = null;

  /** Characters go where the cursor is, as they are, and rows scroll off the top of the main screen. */
  get plain(): boolean {
    const placed = this.altScreen === null && this.region === null && !this.isOn(DEC.origin) && this.isOn(DEC.wrap);
    return placed && !this.insert && !this.newLine && this.charsets.size === 0;
  }

  isOn(mode: number): boolean {
    return this.decModes.get(mode) ?? ON_BY_DEFAULT.has(mode);
  }

  /** Flags of the kitty keyboard protocol in force on the present screen. */
  get keyboardFlags(): number {
    return this.#levels.at(-1) ?? 0;
  }

  get #levels(): number[] {
    return this.altScreen === null ? this.keyboard.main : this.keyboard.alt;
  }

  /** CSI ? … h and CSI ? … l */
  setDec(params: readonly Param[], on: boolean): void {
    for (let i = 0; i < params.length; i++) this.#setOneDec(first(params, 0, i), on);
  }

  #setOneDec(mode: number, on: boolean): void {
    if (MOMENTARY.has(mode)) return;
    if (ALT_SCREENS.has(mode)) {
      this.altScreen = on ? mode : null;
      return;
    }
    for (const group of [MOUSE_EVENTS, MOUSE_ENCODINGS]) {
      if (!on && group.has(mode)) for (const other of group) this.decModes.delete(other);
    }
    this.decModes.delete(mode);
    if (on !== ON_BY_DEFAULT.has(mode) && this.decModes.size < MAX_DEC_MODES) this.decModes.set(mode, on);
  }

  /** CSI … h and CSI … l */
  setAnsi(params: readonly Param[], on: boolean): void {
    for (let i = 0; i < params.length; i++) {
      const mode = first(params, 0, i);
      if (mode === 4) this.insert = on;
      if (mode === 20) this.newLine = on;
    }
  }

  /** ESC = and ESC > */
  setKeypad(application: boolean): void {
    this.#setOneDec(DEC.appKeypad, application);
  }

  /** CSI > flags u */
  pushKeyboard(params: readonly Param[]): void {
    const levels = this.#levels;
    levels.push(first(params, 0));
    if (levels.length > KEYBOARD_LEVELS) levels.shift();
  }

  /** CSI < count u */
  popKeyboard(params: readonly Param[]): void {
    const levels = this.#levels;
    levels.splice(Math.max(0, levels.length - Math.max(1, first(params, 1))));
    if (levels.length === 0) levels.push(0);
  }

  /** CSI = flags ; how u — how: 1 replace, 2 add, 3 take away */
  setKeyboard(params: readonly Param[]): void {
    const levels = this.#levels;
    const flags = first(params, 0);
    const how = first(params, 1, 1);
    const now = levels.at(-1) ?? 0;
    levels[levels.length - 1] = how === 2 ? now | flags : how === 3 ? now & ~flags : flags;
  }

  /** CSI > 4 ; level m; without a level it is reset. Other resources of this sequence do not concern keys' bytes. */
  setKeyModifiers(params: readonly Param[]): void {
    if (params.length === 0 || first(params, 0) === 4) this.modifyOtherKeys = first(params, 0, 1);
  }

  /** CSI style SP q */
  setCursorStyle(params: readonly Param[]): void {
    this.cursorStyle = first(params, 0);
  }

  /** CSI top ; bottom r */
  setRegion(params: readonly Param[], rows: number): void {
    const top = Math.max(1, first(params, 1));
    const given = first(params, 0, 1);
    const bottom = given === 0 || given > rows ? rows : given;
    if (bottom <= top) return;
    this.region = top === 1 && bottom === rows ? null : { top, bottom };
  }

  /** A resize makes the region the whole screen again, as in xterm. */
  resized(): void {
    this.region = null;
  }

  /** ESC ( B and its kind: `slot` is the intermediate byte, `set` the final one. */
  designate(slot: string, set: string): void {
    if (set === 'B') this.charsets.delete(slot);
    else this.charsets.set(slot, set);
  }

  /** OSC 0 and 2 */
  setTitle(text: string): void {
    this.title = text.slice(0, MAX_TITLE);
  }

  /** OSC 4, 10, 11, 12; a `?` asks and changes nothing. */
  setColour(osc: number, data: string): void {
    const parts = data.split(';');
    if (osc !== 4) this.#keepColour(String(osc), parts[0] ?? '');
    else for (let i = 0; i + 1 < parts.length; i += 2) this.#keepColour(`4;${parts[i]}`, parts[i + 1] ?? '');
  }

  #keepColour(name: string, specification: string): void {
    const sound = /^[\w:#/.-]+$/.test(specification) && specification.length <= MAX_COLOUR_SPEC;
    if (sound && /^(?:1[012]|4;\d{1,3})$/.test(name) && this.colours.size < MAX_COLOURS) {
      this.colours.set(name, specification);
    }
  }

  /** OSC 104 (one index, or all), 110, 111, 112 */
  resetColour(osc: number, data: string): void {
    if (osc !== 104) this.colours.delete(String(osc - 100));
    else if (data !== '') for (const index of data.split(';')) this.colours.delete(`4;${index}`);
    else for (const name of [...this.colours.keys()]) if (name.startsWith('4;')) this.colours.delete(name);
  }

  /** CSI ! p */
  softReset(): void {
    for (const mode of SOFT_RESET) this.decModes.delete(mode);
    this.insert = false;
    this.newLine = false;
    this.region = null;
    this.charsets.clear();
  }

  /** ESC c */
  hardReset(): void {
    this.softReset();
    this.decModes.clear();
    this.colours.clear();
    this.keyboard.main = [0];
    this.keyboard.alt = [0];
    this.modifyOtherKeys = 0;
    this.cursorStyle = 0;
    this.altScreen = null;
  }
}
