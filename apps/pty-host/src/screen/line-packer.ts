import type { Terminal } from '@xterm/headless';
import { CELL_WORDS } from './line-bytes.js';
import { LineSlab } from './line-slab.js';
import { forgetSeen, isPacked, packLines } from './packed-line.js';
import { type BufferLine, type LineBuffer, type LineList, lineBuffers } from './xterm-lines.js';

/** Lines packed in one go, which takes about half a millisecond. */
const LOT_LINES = 128;
/** What a line takes besides its cells: the objects that hold them. */
const LINE_BYTES = 400;

/** Packs the lines of one terminal, those of both its screens, and cares for where the others have their cells. */
export class LinePacker {
  readonly #terminal: Terminal;
  readonly #slab = new LineSlab();
  readonly #count = { packed: 0 };
  #served: LineBuffer | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.follow();
  }

  /** To be called when the terminal may have been reset, which gives it new buffers. */
  follow(): void {
    const { normal } = lineBuffers(this.#terminal);
    if (normal === this.#served) return;
    this.#served = normal;
    this.#count.packed = 0;
    this.#slab.serve(normal, (line) => {
      if (isPacked(line)) this.#count.packed--;
    });
  }

  /** Of the lines that are not packed, about: lines that xterm has thrown away since are noticed by the next packing. */
  get looseBytes(): number {
    const { normal, alt } = lineBuffers(this.#terminal);
    const loose = normal.lines.length + alt.lines.length - this.#count.packed;
    const line = this.#terminal.cols * CELL_WORDS * Uint32Array.BYTES_PER_ELEMENT + LINE_BYTES;
    return Math.max(0, loose) * line;
  }

  /** Packs some lines. @returns whether there are more */
  packSome(): boolean {
    const { normal, alt } = lineBuffers(this.#terminal);
    if (this.#packLot(normal.lines) || this.#packLot(alt.lines)) return true;
    this.#count.packed = normal.lines.length + alt.lines.length;
    this.#slab.leave();
    forgetSeen();
    return false;
  }

  /** @returns whether any line was loose */
  #packLot(list: LineList): boolean {
    const places: number[] = [];
    const loose: BufferLine[] = [];
    for (let i = 0; i < list.length && loose.length < LOT_LINES; i++) {
      const line = list.get(i);
      if (line === undefined || isPacked(line)) continue;
      places.push(i);
      loose.push(line);
    }
    if (loose.length === 0) return false;
    for (const [i, line] of packLines(loose, this.#count).entries()) list.set(places[i] ?? 0, line);
    return true;
  }
}
