/** A repeat comes within seconds; this many inputs of one surface are more than anyone sends in that time unanswered. */
const REMEMBERED = 512;

/** Which inputs were taken lately, so that one that is sent again is not typed again. */
export class RecentInputs {
  readonly #bytes = new Map<string, number>();

  /** @returns bytes that were taken for this id, undefined when it is new (or long ago) */
  find(id: string): number | undefined {
    return this.#bytes.get(id);
  }

  get all(): (readonly [string, number])[] {
    return [...this.#bytes];
  }

  add(id: string, bytes: number): void {
    this.#bytes.delete(id);
    this.#bytes.set(id, bytes);
    const oldest = this.#bytes.size > REMEMBERED ? this.#bytes.keys().next().value : undefined;
    if (oldest !== undefined) this.#bytes.delete(oldest);
  }
}
