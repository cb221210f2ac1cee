/**
 * Frames that wait for a client, bounded: when there are too many the oldest goes, and the client is told how many went,
 * before the oldest that is left.
 */
export class FrameQueue {
  readonly #maxFrames: number;
  readonly #maxChars: number;
  #frames: string[] = [];
  #chars = 0;
  #dropped = 0;

  constructor(maxFrames: number, maxChars: number) {
    this.#maxFrames = maxFrames;
    this.#maxChars = maxChars;
  }

  add(frame: string): void {
    this.#frames.push(frame);
    this.#chars += frame.length;
    while (this.#frames.length > this.#maxFrames || (this.#chars > this.#maxChars && this.#frames.length > 1)) {
      this.#chars -= this.#frames.shift()?.length ?? 0;
      this.#dropped++;
    }
  }

  /** Frames that never came this far are gone. */
  lose(count: number): void {
    this.#dropped += count;
  }

  /** @param droppedFrame makes the frame that tells how many are gone. @returns what is next; undefined: nothing */
  next(droppedFrame: (count: number) => string): string | undefined {
    const frame = this.#frames.shift();
    if (frame === undefined) return undefined;
    this.#chars -= frame.length;
    if (this.#dropped === 0) return frame;
    const told = droppedFrame(this.#dropped);
    this.#dropped = 0;
    return told + frame;
  }
}
