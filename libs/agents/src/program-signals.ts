import { KittyNotifications, type UnfinishedNotification } from './kitty-notification.js';
import { readOsc9, readOsc52, readOsc777, type Said } from './program-says.js';

/** What a program asks its terminal to tell or to keep: it happened once, and nothing of it is a state. */
export type SignalSaid = Extract<Said, { kind: 'notification' | 'clipboard' }>;

/** Numbers of the OSCs that {@link ProgramSignals.read} knows. */
export const SIGNAL_OSCS = [9, 52, 99, 777] as const;

/** Reads notifications and clipboard writes. Goes on with half of one after a restart. */
export class ProgramSignals {
  readonly #notifications = new KittyNotifications();

  /** Takes in one OSC, of any number. @returns undefined for what is no signal, or not all of one yet */
  read(osc: number, data: string): SignalSaid | undefined {
    const said = this.#read(osc, data);
    return said?.kind === 'notification' || said?.kind === 'clipboard' ? said : undefined;
  }

  reset(): void {
    this.#notifications.reset();
  }

  save(): UnfinishedNotification[] {
    return this.#notifications.save();
  }

  load(saved: readonly UnfinishedNotification[]): void {
    this.#notifications.load(saved);
  }

  #read(osc: number, data: string): Said | undefined {
    switch (osc) {
      case 9:
        return readOsc9(data);
      case 52:
        return readOsc52(data);
      case 99:
        return this.#notifications.read(data);
      case 777:
        return readOsc777(data);
      default:
        return undefined;
    }
  }
}
