import headless from '@xterm/headless';

/**
 * What is known of the lines of xterm's buffers beyond its public interface, all in this file. The version is pinned, and
 * tests hold it down.
 */
export interface BufferLine {
  isWrapped: boolean;
  /** Texts of cells that have several code points. */
  _combined: Record<number, string>;
  /** Underline styles and links. */
  _extendedAttrs: Record<number, object | undefined>;
  /** Three words a cell: content, foreground, background. */
  _data: Uint32Array;
  /** Cells. */
  length: number;
}

/** A ring: when it is full, the line that leaves it at the top comes in again at the end. */
export interface LineList {
  readonly length: number;
  get(index: number): BufferLine | undefined;
  set(index: number, line: BufferLine): void;
  recycle(): BufferLine;
}

/** The main or the alternate screen. A full reset makes new ones. */
export interface LineBuffer {
  readonly lines: LineList;
  /** Lines that scroll in are clones of one of these. */
  getBlankLine(attributes: object, isWrapped?: boolean): BufferLine;
}

interface Inside {
  readonly _core?: {
    readonly _bufferService?: { readonly buffers?: { readonly normal?: LineBuffer; readonly alt?: LineBuffer } };
  };
}

/** @throws when xterm is another than the one known */
export function lineBuffers(terminal: headless.Terminal): { readonly normal: LineBuffer; readonly alt: LineBuffer } {
  const { normal, alt } = (terminal as Inside)._core?._bufferService?.buffers ?? {};
  if (normal === undefined || alt === undefined) throw new Error('xterm keeps its lines elsewhere than it did');
  return { normal, alt };
}

type Method = (this: BufferLine, ...args: unknown[]) => unknown;

/** What all lines of xterm do. */
export const lineMethods: Readonly<Record<string, Method>> = methodsOfLines();

function methodsOfLines(): Record<string, Method> {
  const terminal = new headless.Terminal({ cols: 1, rows: 1, allowProposedApi: true });
  const line = lineBuffers(terminal).normal.lines.get(0);
  terminal.dispose();
  if (!(line?._data instanceof Uint32Array)) throw new Error('lines of xterm are others than they were');
  return Object.getPrototypeOf(line) as Record<string, Method>;
}
