import type { Bus } from '@switchyard/bus';
import type { LiveSink, LiveSource } from './subscription.js';

interface Mark {
  readonly at: number;
  readonly offset: number;
  readonly rev: number;
}

/** The kind `surface.output`: that a terminal has printed. Only the newest of each surface waits for a slow client. */
export class OutputMarks implements LiveSource {
  readonly #bus: Pick<Bus, 'subscribe'>;
  /** The workspace of each surface. */
  readonly #surfaces: ReadonlyMap<string, string | null>;
  readonly #waiting = new Map<string, Mark>();
  #sink: LiveSink | undefined;
  #end: () => void = () => undefined;

  constructor(bus: Pick<Bus, 'subscribe'>, surfaces: ReadonlyMap<string, string | null>) {
    this.#bus = bus;
    this.#surfaces = surfaces;
  }

  start(sink: LiveSink): void {
    this.#sink = sink;
    this.#end = this.#bus.subscribe('terminal.output', ({ surface_id, offset, rev }) => {
      if (!this.#surfaces.has(surface_id)) return;
      this.#waiting.set(surface_id, { at: Date.now(), offset, rev });
      this.resume();
    });
  }

  resume(): void {
    for (const [surface_id, { at, ...data }] of this.#waiting) {
      if (this.#sink?.hasRoom !== true) return;
      this.#waiting.delete(surface_id);
      const workspace_id = this.#surfaces.get(surface_id) ?? null;
      this.#sink.push('surface.output', { at, workspace_id, surface_id, data });
    }
  }

  close(): void {
    this.#end();
  }
}
