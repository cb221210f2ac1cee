import type { Socket } from 'node:net';

/**
 * Bodies up to this size are copied behind their line, so that a flush is one write and a waiting message does not hold
 * the whole chunk it arrived in. Larger ones are passed on as they are.
 */
const COPY_BYTES = 32 * 1024;
/** First size of the buffer that small messages gather in. */
const GATHER_BYTES = 4096;
const MAX_GATHER_BYTES = 256 * 1024;
const CRLF = Buffer.from('\r\n');

/** What waits to be written to one client. Messages gather during one turn and leave with one write. */
export class Outbox {
  readonly #socket: Socket;
  #gather: Buffer | undefined;
  #gathered = 0;
  #ready: Buffer[] = [];
  #readyBytes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Bytes not yet taken by the operating system. */
  get pending(): number {
    return this.#gathered + this.#readyBytes + this.#socket.writableLength;
  }

  /** @param line one character a byte, with its CRLF */
  line(line: string): void {
    const into = this.#space(line.length);
    this.#gathered += into.write(line, this.#gathered, 'latin1');
  }

  message(line: string, body: Buffer): void {
    this.line(line);
    if (body.length > COPY_BYTES) {
      this.#seal();
      this.#push(body);
      this.#push(CRLF);
      return;
    }
    const into = this.#space(body.length + CRLF.length);
    this.#gathered += body.copy(into, this.#gathered);
    this.#gathered += CRLF.copy(into, this.#gathered);
  }

  flush(): void {
    this.#seal();
    const ready = this.#ready;
    if (ready.length === 0) return;
    this.#ready = [];
    this.#readyBytes = 0;
    if (ready.length > 1) this.#socket.cork();
    for (const buffer of ready) this.#socket.write(buffer);
    if (ready.length > 1) this.#socket.uncork();
  }

  #space(bytes: number): Buffer {
    if (this.#gather !== undefined && this.#gather.length - this.#gathered >= bytes) return this.#gather;
    const size = Math.min(MAX_GATHER_BYTES, Math.max(GATHER_BYTES, 2 * (this.#gather?.length ?? 0)));
    this.#seal();
    this.#gather = Buffer.allocUnsafe(Math.max(bytes, size));
    return this.#gather;
  }

  /** A sealed buffer belongs to the socket until it is written, so the next message starts a new one. */
  #seal(): void {
    if (this.#gather !== undefined && this.#gathered > 0) this.#push(this.#gather.subarray(0, this.#gathered));
    this.#gather = undefined;
    this.#gathered = 0;
  }

  #push(buffer: Buffer): void {
    this.#ready.push(buffer);
    this.#readyBytes += buffer.length;
  }
}
