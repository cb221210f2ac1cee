import type { Msg } from '@nats-io/transport-node';
import { SwitchyardError } from '@switchyard/protocol';
import { CallNumbers } from './call-numbers.js';
import { isNoResponders, readReplyHeaders } from './headers.js';
import type { Link } from './link.js';
import { Assembler } from './parts.js';
import { acknowledge, type PieceSender, refuseRest } from './piece-sender.js';
import {
  bodiesSubject,
  bodySubject,
  fetchesSubject,
  fetchSubject,
  isFetch,
  lastToken,
  type Station,
  splitCallId,
} from './subjects.js';

/**
 * Parameters too large for one message. Requests go to whichever member of a queue group is next, so pieces of one would
 * scatter: instead the member that got the request fetches its body from the caller.
 */

/** The longest silence while a body is fetched; after it the caller or the broker counts as gone. */
const STALL_MS = 5000;

/** The caller's side: hands out the bodies of its calls on demand. */
export class BodySource {
  readonly #link: Link;
  readonly #here: Station;
  readonly #sender: PieceSender;
  readonly #bodyOf: (n: string) => Uint8Array | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(link: Link, here: Station, sender: PieceSender, bodyOf: (n: string) => Uint8Array | undefined) {
    this.#link = link;
    this.#here = here;
    this.#sender = sender;
    this.#bodyOf = bodyOf;
  }

  /** From now on bodies can be asked for. Most processes never make a large call and never listen. */
  open(): void {
    this.#unsubscribe ??= this.#link.subscribe(bodiesSubject(this.#here), (message) => this.#serve(message));
  }

  close(): void {
    this.#unsubscribe?.();
  }

  #serve(message: Msg): void {
    const body = this.#bodyOf(message.string());
    // A call that is settled by now needs no body: the service notices by its cancellation or by the silence.
    if (body === undefined || !isFetch(this.#here, message.reply)) return;
    // Incomplete is the service's to notice: it fetches again when the call is sent again.
    void this.#sender.send(message.reply, body, {});
  }
}

interface Fetch {
  readonly parts: Assembler;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** The service's side. */
export class BodyFetcher {
  readonly #link: Link;
  readonly #here: Station;
  readonly #fetches = new Map<string, Fetch>();
  #unsubscribe: (() => void) | undefined;
  readonly #numbers = new CallNumbers();

  constructor(link: Link, here: Station) {
    this.#link = link;
    this.#here = here;
  }

  /** @throws SwitchyardError `connection_closed` when the caller is gone or falls silent */
  fetch(callId: string): Promise<Buffer> {
    this.#unsubscribe ??= this.#link.subscribe(fetchesSubject(this.#here), (message) => this.#receive(message));
    const { caller, n } = splitCallId(callId);
    const id = this.#numbers.next();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(id, 'fell silent'), STALL_MS);
      this.#fetches.set(id, { parts: new Assembler(), timer, resolve, reject });
      const reply = fetchSubject(this.#here, id);
      if (!this.#link.publish(bodySubject(this.#here, caller), Buffer.from(n), { reply }))
        this.#fail(id, 'is out of reach');
    });
  }

  close(): void {
    this.#unsubscribe?.();
    for (const id of [...this.#fetches.keys()]) this.#fail(id, 'is not waited for any more');
  }

  #receive(message: Msg): void {
    const id = lastToken(message.subject);
    const fetch = this.#fetches.get(id);
    if (fetch === undefined) {
      refuseRest(this.#link, message); // Given up before.
      return;
    }
    if (isNoResponders(message)) {
      this.#fail(id, 'is gone');
      return;
    }
    const { part } = readReplyHeaders(message);
    if (part === undefined) return;
    fetch.timer.refresh();
    acknowledge(this.#link, message);
    const assembled = fetch.parts.add(part, message.data);
    if (assembled.state === 'lost') this.#fail(id, `sent ${assembled.why}`);
    else if (assembled.state === 'whole') this.#take(id)?.resolve(assembled.bytes);
  }

  #fail(id: string, what: string): void {
    this.#take(id)?.reject(new SwitchyardError('connection_closed', `The caller of a large request ${what}.`));
  }

  #take(id: string): Fetch | undefined {
    const fetch = this.#fetches.get(id);
    this.#fetches.delete(id);
    clearTimeout(fetch?.timer);
    return fetch;
  }
}
