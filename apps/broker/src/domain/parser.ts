import { ERR, ProtocolViolation } from './errors.js';

/** A published message as it came. Strings hold one character a byte, so that any encoding passes unchanged. */
export interface Published {
  readonly subject: string;
  readonly reply: string | undefined;
  /** Length of the headers at the start of `body`; 0 without. */
  readonly headerBytes: number;
  /** Headers and payload. Part of the buffer given to `push`, unless the message came in pieces. */
  readonly body: Buffer;
}

/** What a client can say. */
export interface Operations {
  connect(options: string): void;
  ping(): void;
  pong(): void;
  subscribe(subject: string, queue: string | undefined, sid: string): void;
  unsubscribe(sid: string, max: number | undefined): void;
  publish(message: Published): void;
}

export interface ParserLimits {
  readonly maxControlLine: number;
  readonly maxPayload: number;
}

type Pending = Omit<Published, 'body'> & { readonly size: number };

const LF = 10;
const CR = 13;
const CRLF_BYTES = 2;
const NUMBER = /^\d{1,9}$/;

/**
 * Reads the client protocol of NATS from chunks cut anywhere. Every byte is copied at most once, and only when a line
 * or a message is spread over chunks. Memory is bounded by one line and one message.
 */
export class Parser {
  readonly #to: Operations;
  readonly #limits: ParserLimits;
  /** The beginning of a line whose end has not come. */
  #line: Buffer | undefined;
  #lineBytes = 0;
  /** The message whose body is being read. */
  #pending: Pending | undefined;
  /** Its body, when it is spread over chunks. */
  #body: Buffer | undefined;
  #bodyBytes = 0;

  constructor(to: Operations, limits: ParserLimits) {
    this.#to = to;
    this.#limits = limits;
  }

  /** @throws ProtocolViolation after which the parser must not be used any more */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#pending === undefined ? this.#readLine(chunk, at) : this.#readBody(chunk, at, this.#pending);
    }
  }

  #readLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(LF, at);
    const until = end === -1 ? chunk.length : end;
    if (this.#lineBytes + until - at > this.#limits.maxControlLine) throw new ProtocolViolation(ERR.controlLine);
    if (end === -1) {
      this.#keepLine(chunk, at);
      return chunk.length;
    }
    if (this.#lineBytes === 0) {
      this.#command(text(chunk, at, end));
      return end + 1;
    }
    const line = this.#line as Buffer;
    chunk.copy(line, this.#lineBytes, at, end);
    const bytes = this.#lineBytes + end - at;
    this.#lineBytes = 0;
    this.#command(text(line, 0, bytes));
    return end + 1;
  }

  #keepLine(chunk: Buffer, at: number): void {
    this.#line ??= Buffer.allocUnsafe(this.#limits.maxControlLine);
    this.#lineBytes += chunk.copy(this.#line, this.#lineBytes, at);
  }

  #readBody(chunk: Buffer, at: number, pending: Pending): number {
    const whole = pending.size + CRLF_BYTES;
    if (this.#body === undefined && chunk.length - at >= whole) {
      this.#publish(pending, chunk.subarray(at, at + whole));
      return at + whole;
    }
    this.#body ??= Buffer.allocUnsafe(whole);
    const copied = chunk.copy(this.#body, this.#bodyBytes, at);
    this.#bodyBytes += copied;
    if (this.#bodyBytes === whole) this.#publish(pending, this.#body);
    return at + copied;
  }

  #publish(pending: Pending, withEnd: Buffer): void {
    const { subject, reply, headerBytes, size } = pending;
    this.#pending = undefined;
    this.#body = undefined;
    this.#bodyBytes = 0;
    if (withEnd[size] !== CR || withEnd[size + 1] !== LF) throw new ProtocolViolation(ERR.unknownOperation);
    this.#to.publish({ subject, reply, headerBytes, body: withEnd.subarray(0, size) });
  }

  #command(line: string): void {
    const blank = line.search(/[ \t]/);
    const verb = (blank === -1 ? line : line.slice(0, blank)).toUpperCase();
    const rest = blank === -1 ? '' : line.slice(blank + 1).trim();
    switch (verb) {
      case 'PUB':
        this.#pending = this.#announced(words(rest), false);
        return;
      case 'HPUB':
        this.#pending = this.#announced(words(rest), true);
        return;
      case 'SUB':
        this.#subscribe(words(rest));
        return;
      case 'UNSUB':
        this.#unsubscribe(words(rest));
        return;
      case 'PING':
        this.#to.ping();
        return;
      case 'PONG':
        this.#to.pong();
        return;
      case 'CONNECT':
        this.#to.connect(rest);
        return;
      default:
        throw new ProtocolViolation(ERR.unknownOperation);
    }
  }

  #announced(args: string[], withHeaders: boolean): Pending {
    const sizes = withHeaders ? 2 : 1;
    const names = args.length - sizes;
    const [subject, reply] = args;
    if (subject === undefined || names < 1 || names > 2) throw new ProtocolViolation(ERR.parser);
    const size = count(args[args.length - 1]);
    const headerBytes = withHeaders ? count(args[args.length - 2]) : 0;
    if (size > this.#limits.maxPayload) throw new ProtocolViolation(ERR.payload);
    if (headerBytes > size) throw new ProtocolViolation(ERR.parser);
    return { subject, reply: names === 2 ? reply : undefined, headerBytes, size };
  }

  #subscribe(args: string[]): void {
    const [subject, second, third] = args;
    if (subject === undefined || second === undefined || args.length > 3) throw new ProtocolViolation(ERR.parser);
    if (third === undefined) this.#to.subscribe(subject, undefined, second);
    else this.#to.subscribe(subject, second, third);
  }

  #unsubscribe(args: string[]): void {
    const [sid, max] = args;
    if (sid === undefined || args.length > 2) throw new ProtocolViolation(ERR.parser);
    this.#to.unsubscribe(sid, max === undefined ? undefined : count(max));
  }
}

/** Without the CR; a lone LF ends a line too, as in nats-server. */
function text(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to > from && bytes[to - 1] === CR ? to - 1 : to);
}

function words(rest: string): string[] {
  return rest === '' ? [] : rest.split(/[ \t]+/);
}

function count(word: string | undefined): number {
  if (word === undefined || !NUMBER.test(word)) throw new ProtocolViolation(ERR.parser);
  return Number(word);
}
