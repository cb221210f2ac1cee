import type { Socket } from 'node:net';

/**
 * Holds back those that send to a client which is behind, until it has caught up: a burst costs time instead of the
 * client's connection. Bounded: a client that does not catch up in time holds nobody back any more until it does.
 */
export class Stall {
  readonly #behind: Socket;
  readonly #limitMs: number;
  readonly #held = new Set<Valve>();
  #timer: NodeJS.Timeout | undefined;
  #hopeless = false;

  /** @param behind the socket of the client that may fall behind */
  constructor(behind: Socket, limitMs: number) {
    this.#behind = behind;
    this.#limitMs = limitMs;
    behind.on('drain', () => {
      this.#hopeless = false;
      this.end();
    });
  }

  /** The sender is read again when the client has caught up, or time is over. */
  hold(sender: Valve): void {
    if (this.#hopeless || this.#held.has(sender) || !this.#behind.writableNeedDrain) return;
    this.#held.add(sender);
    sender.close(this);
    this.#timer ??= setTimeout(() => {
      this.#hopeless = true;
      this.end();
    }, this.#limitMs);
  }

  /** Lets everybody go: also when the client is gone. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const sender of this.#held) sender.open(this);
    this.#held.clear();
  }
}

/** The input of one client: read only while nothing holds it back. */
export class Valve {
  readonly #socket: Socket;
  readonly #holders = new Set<Stall>();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  close(holder: Stall): void {
    this.#holders.add(holder);
    this.#socket.pause();
  }

  open(holder: Stall): void {
    this.#holders.delete(holder);
    if (this.#holders.size === 0) this.#socket.resume();
  }
}
