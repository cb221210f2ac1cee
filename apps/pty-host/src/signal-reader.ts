import { ProgramSignals, SIGNAL_OSCS, type SignalSaid, type UnfinishedNotification } from '@switchyard/agents';
import type { Params } from '@switchyard/protocol';
import { type Found, MAX_DATA_BYTES, SequenceScanner } from './domain/sequence-scanner.js';

/** A bell, a notification or a write to the clipboard, named by where it ends in the output. */
export type Signal = Params<'notification.hear'>['signals'][number];

/** What a checkpoint has to keep of them. */
export interface SavedSignals {
  readonly unfinished: readonly UnfinishedNotification[];
  /** Those that nobody has taken yet. */
  readonly untold: readonly Signal[];
}

/** OSC 52. */
const CLIPBOARD = 52;
/** A clipboard text comes in base64: four bytes for three. */
const decodedBytes = (bytes: number) => Math.floor((bytes * 3) / 4);

/** Finds the signals in the output of one terminal. Read again after a restart, the same bytes give the same ones. */
export class SignalReader {
  readonly #scanner = new SequenceScanner(SIGNAL_OSCS);
  readonly #programs = new ProgramSignals();

  /** @param at offset of the first byte */
  read(data: Buffer, at: number): Signal[] {
    return this.#scanner.scan(data, at).flatMap((found) => this.#signalOf(found) ?? []);
  }

  /** Bytes are missing, or another program begins. */
  reset(): void {
    this.#scanner.reset();
    this.#programs.reset();
  }

  /** Parts of notifications that are not complete. */
  save(): UnfinishedNotification[] {
    return this.#programs.save();
  }

  load(unfinished: readonly UnfinishedNotification[]): void {
    this.#programs.load(unfinished);
  }

  #signalOf({ osc, offset, data, bytes }: Found): Signal | undefined {
    if (osc === null) return { offset, kind: 'bell' };
    if (osc === CLIPBOARD && bytes > MAX_DATA_BYTES) {
      return { offset, kind: 'clipboard', bytes: decodedBytes(bytes), text: null };
    }
    const said = this.#programs.read(osc, data);
    return said && { offset, ...factsOf(said) };
  }
}

function factsOf(said: SignalSaid): Omit<Signal, 'offset'> {
  return said.kind === 'clipboard'
    ? { kind: 'clipboard', bytes: said.bytes, text: said.text }
    : { kind: 'notification', title: said.title, body: said.body };
}
