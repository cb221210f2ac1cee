import { Buffer } from 'node:buffer';
import type { Said } from './program-says.js';

/** Parts of notifications that are still being sent. */
const MAX_UNFINISHED = 16;
const MAX_TEXT = 2048;

interface Parts {
  title: string;
  body: string;
}

/** A notification of which more parts are to come. */
export interface UnfinishedNotification extends Readonly<Parts> {
  readonly id: string;
}

/** OSC 99: notifications that may come in parts, some of them in base64. */
export class KittyNotifications {
  readonly #unfinished = new Map<string, Parts>();

  /** @returns the notification with its last part; undefined for a part before, a question or a withdrawal */
  read(data: string): Extract<Said, { kind: 'notification' }> | undefined {
    const split = data.indexOf(';');
    if (split < 0) return undefined;
    const meta = new Map(data.slice(0, split).split(':').map(pair));
    const part = meta.get('p') ?? 'title';
    if (part !== 'title' && part !== 'body') return undefined;
    const id = meta.get('i') ?? '';
    const parts = this.#unfinished.get(id) ?? { title: '', body: '' };
    const payload = data.slice(split + 1);
    parts[part] += meta.get('e') === '1' ? Buffer.from(payload, 'base64').toString() : payload;
    parts[part] = parts[part].slice(0, MAX_TEXT);
    this.#unfinished.delete(id);
    if (meta.get('d') === '0') {
      this.#keep(id, parts);
      return undefined;
    }
    return { kind: 'notification', id: id === '' ? null : id.slice(0, MAX_TEXT), ...parts };
  }

  reset(): void {
    this.#unfinished.clear();
  }

  save(): UnfinishedNotification[] {
    return [...this.#unfinished].map(([id, parts]) => ({ id, ...parts }));
  }

  load(saved: readonly UnfinishedNotification[]): void {
    this.reset();
    for (const { id, title, body } of saved) this.#keep(id, { title, body });
  }

  #keep(id: string, parts: Parts): void {
    this.#unfinished.set(id, parts);
    for (const oldest of this.#unfinished.keys()) {
      if (this.#unfinished.size <= MAX_UNFINISHED) break;
      this.#unfinished.delete(oldest);
    }
  }
}

function pair(text: string): [string, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)];
}
