import type { Message } from '../domain/message.js';
import type { AdapterName } from '../domain/words.js';

/** A delivery, as an adapter gets it. */
export interface Parcel {
  /** The same for every attempt: by it a receiver knows a repeat. */
  readonly id: string;
  readonly attempt: number;
  readonly message: Message;
}

/** One way to a person. */
export interface Adapter {
  readonly name: AdapterName;
  /** Rejects with the reason, in words for a person; {@link Refused} when trying again makes no sense. */
  deliver(parcel: Parcel, signal: AbortSignal): Promise<void>;
}

/** The receiver does not want it, now or later. */
export class Refused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refused';
  }
}
