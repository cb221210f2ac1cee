import { KittyNotifications } from './kitty-notification.js';
import {
  type ProgressState,
  readOsc7,
  readOsc9,
  readOsc26,
  readOsc52,
  readOsc133,
  readOsc777,
  readOsc9999,
  readOsc21337,
  type Said,
} from './program-says.js';
import { type StatusRecord, StatusRecords } from './status-record.js';
import { encodeClear, STATUS_OSC } from './status-report.js';

/** Something said, and when: Unix milliseconds. */
export type SaidAt = Said & { readonly at: number };

/** What a terminal has to keep of it over a restart. */
export interface SavedVoice {
  readonly records: readonly StatusRecord[];
  readonly said: readonly SaidAt[];
}

/** What came of one sequence. */
export interface Heard {
  /** The program asks whether its terminal knows OSC 7501: answer with the same bytes. */
  readonly query?: boolean;
  readonly said?: SaidAt;
}

/** Numbers of the OSCs that {@link ProgramVoice.hear} reads. */
export const VOICE_OSCS = [7, 9, 26, 52, 99, 133, 777, 9999, 21337, STATUS_OSC] as const;
export type VoiceOsc = (typeof VOICE_OSCS)[number];

const NOTHING: Heard = {};
/** Said twice they happened twice; anything else is a state, and no news when it is said again. */
const EVENTS: ReadonlySet<Said['kind']> = new Set(['notification', 'prompt', 'clipboard']);

/** Everything the programs of one terminal have said of themselves and that still counts. Pure: the clock is given. */
export class ProgramVoice {
  readonly records = new StatusRecords();
  readonly #hostname: string;
  readonly #notifications = new KittyNotifications();
  /** The last of each kind; of session status, of each dialect. */
  readonly #said = new Map<string, SaidAt>();
  #revision = 0;
  /** Whether a terminal that showed this one may have been told something. */
  #reported = false;
  #progressed = false;

  /** @param hostname of this machine: directories of others are not ours */
  constructor(hostname: string) {
    this.#hostname = hostname;
  }

  /** Rises with everything that {@link evidence} did not have before. */
  get revision(): number {
    return this.#revision;
  }

  /** The last of each kind that still counts, oldest first. */
  get evidence(): SaidAt[] {
    return [...this.#said.values()];
  }

  /** OSC 9;4; null when none is shown. */
  get progress(): { readonly state: ProgressState; readonly value: number | null } | null {
    const said = this.#said.get('progress');
    return said?.kind === 'progress' && said.state !== 0 ? { state: said.state, value: said.value } : null;
  }

  /** Sequences that tell another terminal what still counts, for one that shows this one's screen. */
  replay(): string {
    const { progress } = this;
    const value = progress?.value === null ? '' : `;${progress?.value}`;
    return this.records.replay() + (progress === null ? '' : `\x1b]9;4;${progress.state}${value}\x1b\\`);
  }

  /** Sequences that take back in another terminal what was shown there of this one; empty if that was nothing. */
  silence(): string {
    return (this.#reported ? encodeClear() : '') + (this.#progressed ? '\x1b]9;4;0\x1b\\' : '');
  }

  /** Takes in one OSC. @param at Unix milliseconds */
  hear(osc: VoiceOsc, data: string, at: number): Heard {
    if (osc === STATUS_OSC) return this.#report(data, at);
    const read = this.#read(osc, data);
    if (read === undefined) return NOTHING;
    const said = { ...read, at };
    if (said.kind === 'prompt' && said.mark === 'A') this.programEnded();
    this.#keep(said);
    return { said };
  }

  /** The attached program has ended, or a new prompt begins. What is an event stays; what is a state goes. */
  programEnded(): void {
    this.records.programEnded();
    for (const [key, said] of this.#said) if (said.kind === 'progress' || said.kind === 'session') this.#forget(key);
  }

  /** A full reset of the terminal. */
  reset(): void {
    this.records.reset();
    this.#notifications.reset();
    for (const key of [...this.#said.keys()]) this.#forget(key);
  }

  save(): SavedVoice {
    return { records: this.records.all, said: this.evidence };
  }

  load(saved: SavedVoice): void {
    this.reset();
    this.records.load(saved.records);
    this.#reported ||= this.records.size > 0;
    for (const said of saved.said) this.#keep(said);
  }

  #report(data: string, at: number): Heard {
    const query = this.records.apply(data, at);
    this.#reported ||= this.records.size > 0;
    return query ? { query } : NOTHING;
  }

  #read(osc: Exclude<VoiceOsc, typeof STATUS_OSC>, data: string): Said | undefined {
    switch (osc) {
      case 7:
        return readOsc7(data, this.#hostname);
      case 9:
        return readOsc9(data);
      case 26:
        return readOsc26(data);
      case 52:
        return readOsc52(data);
      case 99:
        return this.#notifications.read(data);
      case 133:
        return readOsc133(data);
      case 777:
        return readOsc777(data);
      case 9999:
        return readOsc9999(data);
      case 21337:
        return readOsc21337(data);
    }
  }

  #keep(said: SaidAt): void {
    this.#progressed ||= said.kind === 'progress';
    const key = said.kind === 'session' ? `session ${said.osc}` : said.kind;
    const before = this.#said.get(key);
    this.#said.delete(key);
    this.#said.set(key, said);
    const again = before !== undefined && !EVENTS.has(said.kind) && isSame(before, said);
    if (!again) this.#revision++;
  }

  #forget(key: string): void {
    this.#said.delete(key);
    this.#revision++;
  }
}

function isSame(a: SaidAt, b: SaidAt): boolean {
  return JSON.stringify({ ...a, at: 0 }) === JSON.stringify({ ...b, at: 0 });
}
