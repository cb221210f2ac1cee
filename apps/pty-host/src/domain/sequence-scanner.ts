import { Buffer } from 'node:buffer';

/** A bell, or an OSC of one of the numbers that are looked for. */
export interface Found {
  /** Count of bytes up to and with its end: the same wherever the stream is cut, so that it names this one for ever. */
  readonly offset: number;
  /** null: a bell. */
  readonly osc: number | null;
  /** What follows the number; cut at {@link MAX_DATA_BYTES}. */
  readonly data: string;
  /** Length of all that follows the number. */
  readonly bytes: number;
}

/** As much as a clipboard text of 64 KiB in base64; more of one sequence is only counted. */
export const MAX_DATA_BYTES = 88 * 1024;
/** `777;` and the byte after it: by then it is known whether an OSC is looked for. */
const NUMBER_BYTES = 4;

const [BEL, CAN, SUB, ESC] = [0x07, 0x18, 0x1a, 0x1b];
/** First byte of the C1 controls in UTF-8; the second is the control itself. */
const C1 = 0xc2;
const [DCS, SOS, CSI, ST, OSC, PM, APC] = [0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f];
/** What is more than text begins with one of these. */
const STARTS = [ESC, BEL, C1];
const START_OF: Readonly<Record<number, State>> = {
  93: 'osc',
  91: 'csi',
  80: 'string',
  88: 'string',
  94: 'string',
  95: 'string',
};
const C1_START_OF: Readonly<Record<number, State>> = {
  [OSC]: 'osc',
  [CSI]: 'csi',
  [DCS]: 'string',
  [SOS]: 'string',
  [PM]: 'string',
  [APC]: 'string',
};

/** `string`: DCS, SOS, PM or APC, in which nothing rings. */
type State = 'ground' | 'escape' | 'csi' | 'osc' | 'string';

/**
 * Finds bells and some OSCs in the bytes of a terminal with the exact place of each, which the emulator does not tell.
 * It follows the sequences as the emulator does, so that both agree on what is inside of one. Pieces may be cut anywhere.
 */
export class SequenceScanner {
  readonly #oscs: ReadonlySet<number>;
  #state: State = 'ground';
  /** The last byte was {@link C1}. */
  #lead = false;
  /** The data of an OSC from pieces before this one; undefined: it is not looked for. */
  #kept: Buffer[] | undefined;
  #size = 0;

  /** @param oscs numbers of one to three digits that are looked for */
  constructor(oscs: readonly number[]) {
    this.#oscs = new Set(oscs);
  }

  /** What comes next is not what follows: bytes are missing, or another program begins. */
  reset(): void {
    this.#state = 'ground';
    this.#lead = false;
    this.#kept = undefined;
  }

  /** @param at offset of the first byte */
  scan(piece: Buffer, at: number): Found[] {
    // Most output is text alone, which the engine looks through faster than we do.
    if (this.#state === 'ground' && !this.#lead && !STARTS.some((byte) => piece.includes(byte))) return [];
    const found: Found[] = [];
    let oscFrom = 0;
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i] as number;
      if (this.#state === 'osc') {
        const end = oscEnd(byte, this.#lead);
        this.#lead = byte === C1;
        if (end === undefined) continue;
        // The ST of two bytes is not part of the data.
        const last = byte === ST ? i - 1 : i;
        this.#keep(piece.subarray(oscFrom, Math.max(oscFrom, last)));
        if (end) this.#take(found, at + i + 1, byte === ST && last < oscFrom ? 1 : 0);
        this.#state = byte === ESC ? 'escape' : 'ground';
        this.#lead = false;
        continue;
      }
      if (this.#state === 'ground' && byte !== ESC && byte !== BEL && byte !== C1 && !this.#lead) continue;
      if (byte === BEL && this.#state !== 'string') found.push({ offset: at + i + 1, osc: null, data: '', bytes: 0 });
      this.#state = this.#next(byte);
      this.#lead = byte === C1;
      if (this.#state !== 'osc') continue;
      oscFrom = i + 1;
      this.#kept = [];
      this.#size = 0;
    }
    if (this.#state === 'osc') this.#keep(piece.subarray(oscFrom));
    return found;
  }

  #next(byte: number): State {
    if (byte === ESC) return 'escape';
    if (byte === CAN || byte === SUB) return 'ground';
    if (this.#lead && byte >= 0x80 && byte < 0xa0) {
      if (this.#state === 'string' && byte !== ST) return 'string';
      return C1_START_OF[byte] ?? 'ground';
    }
    if (this.#state === 'escape') return afterEscape(byte);
    // A final byte ends it; what is not ASCII breaks it off.
    if (this.#state === 'csi') return byte >= 0x40 && byte !== C1 ? 'ground' : 'csi';
    return this.#state;
  }

  /** Remembers a part of the data, as long as it may be one that is looked for. */
  #keep(part: Buffer): void {
    if (this.#kept === undefined) return;
    const room = MAX_DATA_BYTES - this.#size;
    this.#size += part.length;
    if (room > 0 && part.length > 0) this.#kept.push(Buffer.from(part.subarray(0, room)));
    if (this.#size < NUMBER_BYTES) return;
    const [first = part] = this.#kept.length > 1 ? [Buffer.concat(this.#kept)] : this.#kept;
    if (!this.#oscs.has(numberOf(first))) this.#kept = undefined;
  }

  /** @param over bytes at the end of what was kept that are part of the end of the sequence */
  #take(found: Found[], offset: number, over: number): void {
    if (this.#kept === undefined) return;
    const all = Buffer.concat(this.#kept);
    this.#kept = undefined;
    const whole = over > 0 ? all.subarray(0, all.length - over) : all;
    const osc = numberOf(whole);
    if (!this.#oscs.has(osc)) return;
    const prefix = String(osc).length + 1;
    const bytes = Math.max(0, this.#size - over - prefix);
    found.push({ offset, osc, data: whole.subarray(prefix).toString('utf8'), bytes });
  }
}

/** @returns true: it ends there; false: it is broken off; undefined: it goes on */
function oscEnd(byte: number, lead: boolean): boolean | undefined {
  if (byte === BEL || byte === ESC || (byte === ST && lead)) return true;
  return byte === CAN || byte === SUB ? false : undefined;
}

function afterEscape(byte: number): State {
  // Controls are carried out within a sequence; intermediates are followed by more.
  if (byte < 0x30) return 'escape';
  return START_OF[byte] ?? 'ground';
}

/** The number before the first semicolon; NaN: there is none. */
function numberOf(data: Buffer): number {
  const end = data.indexOf(0x3b);
  const digits = data.toString(
    'latin1',
    0,
    end < 0 ? Math.min(data.length, NUMBER_BYTES) : Math.min(end, NUMBER_BYTES),
  );
  return /^\d{1,3}$/.test(digits) ? Number(digits) : Number.NaN;
}
