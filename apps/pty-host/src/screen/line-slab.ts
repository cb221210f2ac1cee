import { CELL_WORDS } from './line-bytes.js';
import { type BufferLine, type LineBuffer, lineMethods } from './xterm-lines.js';

/**
 * Words of one slab. Memory of this size goes back to the system when it is free; of the two kilobytes that xterm asks for
 * for each line hardly any ever does, because something else lies between them. The allocator is told so by the
 * supervisor (`MALLOC_MMAP_THRESHOLD_`); untold it learns to keep larger ones.
 */
const SLAB_WORDS = 64 * 1024;

/** Gives the lines of one terminal their cells out of large pieces of memory. */
export class LineSlab {
  #slab: Uint32Array | undefined;
  #used = 0;

  /** @param onLeave is given each line that leaves at the top */
  serve(buffer: LineBuffer, onLeave: (line: BufferLine) => void): void {
    const { lines } = buffer;
    const [blank, recycle] = [buffer.getBlankLine, lines.recycle];
    buffer.getBlankLine = (attributes, isWrapped) => {
      const line = blank.call(buffer, attributes, isWrapped);
      return Object.assign(line, { clone: () => this.#copy(line) });
    };
    lines.recycle = () => {
      const line = recycle.call(lines);
      if (line instanceof SlabLine) return line;
      onLeave(line);
      const fresh = new SlabLine(line, this.#take(line.length * CELL_WORDS));
      lines.set(lines.length - 1, fresh);
      return fresh;
    };
  }

  /** The next line begins another slab; the present one is free when its lines are. */
  leave(): void {
    this.#slab = undefined;
  }

  #copy(line: BufferLine): BufferLine {
    const copy = new SlabLine(line, this.#take(line._data.length));
    copy._data.set(line._data);
    for (const at in line._extendedAttrs) copy._extendedAttrs[at] = line._extendedAttrs[at];
    return copy;
  }

  #take(words: number): Uint32Array {
    if (this.#slab === undefined || this.#used + words > this.#slab.length) {
      this.#slab = new Uint32Array(Math.max(words, SLAB_WORDS));
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += words;
    return new Uint32Array(this.#slab.buffer, at * Uint32Array.BYTES_PER_ELEMENT, words);
  }
}

/** As xterm makes them, but for where the cells are. */
class SlabLine implements BufferLine {
  isWrapped: boolean;
  _combined: BufferLine['_combined'] = {};
  _extendedAttrs: BufferLine['_extendedAttrs'] = {};
  _data: Uint32Array;
  length: number;

  /** @param like has the length @param cells what is in them is written by whoever asks for the line */
  constructor(like: BufferLine, cells: Uint32Array) {
    this.isWrapped = like.isWrapped;
    this._data = cells;
    this.length = like.length;
  }

  resize(cols: number, fill: object): unknown {
    if (cols === this.length) return false;
    // xterm takes what lies behind the cells for theirs.
    this._data = this._data.slice();
    return lineMethods['resize']?.call(this, cols, fill);
  }

  cleanupMemory(): number {
    return 0;
  }
}

Object.setPrototypeOf(SlabLine.prototype, lineMethods);
