/** What a tmux server says to a client in control mode (`tmux -C`). */
export type ControlEvent =
  /** Bytes that a pane printed, as its program wrote them. A character may be split between two of these. */
  | { readonly kind: 'output'; readonly pane: string; readonly data: Buffer }
  /** The answer to one command. */
  | { readonly kind: 'reply'; readonly ok: boolean; readonly lines: readonly Buffer[] }
  | { readonly kind: 'exit'; readonly reason: string }
  /** Any other notification: `layout-change`, `window-close` … */
  | { readonly kind: 'notice'; readonly name: string; readonly rest: string };

interface Block {
  /** Time, number and flags: the end repeats them, so that no line of an answer is taken for it. */
  readonly tag: string;
  readonly lines: Buffer[];
  bytes: number;
}

/** A line holds what a pane printed at once, four bytes for each at worst; tmux itself cuts far below. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** An answer holds the history of a pane at most. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;
/** With `-CC` everything is inside a device control string, which begins before the first line and ends after the last. */
const DCS = Buffer.from('\x1bP1000p');
const ST = '\x1b\\';
const OUTPUT = /^%output (%\d+) /;
const EXTENDED = /^%extended-output (%\d+) [^:]*: /;
const NOTICE = /^%([a-z-]+) ?(.*)$/s;
/** The head of a line is looked at as text; no notification has a longer one before its data. */
const HEAD_BYTES = 128;

/**
 * Decodes the stream of a control client, chunk by chunk, wherever the chunks are cut. Works on bytes throughout: what a
 * pane prints need not be text.
 */
export class ControlDecoder {
  #rest: Buffer[] = [];
  #restBytes = 0;
  #block: Block | undefined;
  #isFirst = true;

  /** @throws Error for a line or an answer without a bound: that is no tmux */
  push(chunk: Uint8Array): ControlEvent[] {
    const events: ControlEvent[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const line = this.#lineWith(chunk.subarray(start, end));
      start = end + 1;
      const event = this.#line(line);
      if (event !== undefined) events.push(event);
    }
    this.#keep(chunk.subarray(start));
    return events;
  }

  #lineWith(last: Uint8Array): Buffer {
    this.#keep(last);
    const line = Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restBytes = 0;
    return line.at(-1) === CR ? line.subarray(0, -1) : line;
  }

  #keep(part: Uint8Array): void {
    this.#restBytes += part.length;
    if (this.#restBytes > MAX_LINE_BYTES) throw new Error(`tmux sent a line of over ${MAX_LINE_BYTES} bytes`);
    // A copy: the memory of a chunk may be used again.
    if (part.length > 0) this.#rest.push(Buffer.from(part));
  }

  #line(given: Buffer): ControlEvent | undefined {
    const line = this.#isFirst && given.indexOf(DCS) === 0 ? given.subarray(DCS.length) : given;
    this.#isFirst = false;
    const head = line.toString('latin1', 0, HEAD_BYTES);
    if (this.#block !== undefined) return this.#answer(this.#block, line, head);
    const [, pane] = OUTPUT.exec(head) ?? EXTENDED.exec(head) ?? [];
    if (pane !== undefined) return { kind: 'output', pane, data: unescaped(dataOf(line, head)) };
    const [, name, rest = ''] = NOTICE.exec(line.toString('utf8')) ?? [];
    if (name === undefined || head === ST) return undefined;
    if (name === 'exit') return { kind: 'exit', reason: rest };
    if (name !== 'begin') return { kind: 'notice', name, rest };
    this.#block = { tag: rest, lines: [], bytes: 0 };
    return undefined;
  }

  #answer(block: Block, line: Buffer, head: string): ControlEvent | undefined {
    const [, name, rest] = /^%(end|error) (.*)$/.exec(head) ?? [];
    if (name !== undefined && rest === block.tag) {
      this.#block = undefined;
      return { kind: 'reply', ok: name === 'end', lines: block.lines };
    }
    block.bytes += line.length;
    if (block.bytes > MAX_ANSWER_BYTES) throw new Error(`tmux sent an answer of over ${MAX_ANSWER_BYTES} bytes`);
    block.lines.push(line);
    return undefined;
  }
}

function dataOf(line: Buffer, head: string): Buffer {
  const match = OUTPUT.exec(head) ?? EXTENDED.exec(head);
  return line.subarray(match?.[0].length ?? 0);
}

const BACKSLASH = 0x5c;
const ZERO = 0x30;

/** tmux writes a backslash and everything below the blank as `\ooo`. What is no such escape stays as it is. */
export function unescaped(data: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(data.length);
  let length = 0;
  for (let i = 0; i < data.length; i++) {
    const byte = data[i] ?? 0;
    const value = byte === BACKSLASH ? octalAt(data, i + 1) : undefined;
    out[length++] = value ?? byte;
    if (value !== undefined) i += 3;
  }
  return out.subarray(0, length);
}

/** @returns undefined when there are not three octal digits that make one byte */
function octalAt(data: Uint8Array, at: number): number | undefined {
  const [a = 0, b = 0, c = 0] = [data[at], data[at + 1], data[at + 2]].map((digit) => (digit ?? 0) - ZERO);
  const isOctal = (digit: number, largest = 7) => digit >= 0 && digit <= largest;
  return isOctal(a, 3) && isOctal(b) && isOctal(c) ? a * 64 + b * 8 + c : undefined;
}
