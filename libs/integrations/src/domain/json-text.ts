import { BrokenConfig, lineAt } from './broken-config.js';

/** A value in a JSON text, and where it stands. Offsets are in UTF-16 units; `end` is behind the last one. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Span {
  readonly start: number;
  readonly end: number;
}
export interface JsonScalar extends Span {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}
/** One thing in a container, with its key if the container is an object. */
export interface JsonItem extends Span {
  readonly key: string | null;
  readonly value: JsonNode;
  /** Where the comma behind it stands; null: none follows. */
  readonly comma: number | null;
}
export interface JsonObject extends Span {
  readonly kind: 'object';
  readonly items: readonly JsonItem[];
  /** End of the last item, comma or comment before the closing bracket. */
  readonly contentEnd: number;
}
export interface JsonArray extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonItem[];
  readonly contentEnd: number;
}
export type JsonContainer = JsonObject | JsonArray;

/** No configuration that a person wrote is nested deeper. */
const MAX_DEPTH = 128;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads a JSON text with the places of its values. Comments and a comma behind the last item are accepted, since several
 * agents accept them.
 *
 * @throws BrokenConfig with the line
 */
export function parseJson(text: string): JsonNode {
  return new Reader(text).document();
}

/** The value as JSON.parse would give it; of repeated keys the last counts. */
export function jsonValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map((item) => jsonValue(item.value));
  return Object.fromEntries(node.items.map((item) => [item.key, jsonValue(item.value)]));
}

/** The item of that key; of repeated ones the last, as readers of JSON have it. */
export function member(node: JsonObject, key: string): JsonItem | undefined {
  return node.items.findLast((item) => item.key === key);
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** End of the last comment or value: what lies behind it is blank. */
  #tokenEnd = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  document(): JsonNode {
    this.#skip();
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) this.#fail('there is something behind the end');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail('it is nested too deeply');
    const char = this.#text[this.#at];
    if (char === '{') return this.#container('object', '}', depth);
    if (char === '[') return this.#container('array', ']', depth);
    if (char === '"') return this.#string();
    return this.#wordOrNumber();
  }

  #container(kind: 'object' | 'array', close: string, depth: number): JsonContainer {
    const start = this.#at++;
    this.#tokenEnd = this.#at;
    const items: JsonItem[] = [];
    for (;;) {
      this.#skip();
      const contentEnd = this.#tokenEnd;
      if (this.#text[this.#at] === close) {
        this.#tokenEnd = ++this.#at;
        return { kind, start, end: this.#at, items, contentEnd };
      }
      if (items.length > 0 && items.at(-1)?.comma === null) this.#fail(`a comma or ${close} is missing`);
      items.push(this.#item(kind, depth));
    }
  }

  #item(kind: 'object' | 'array', depth: number): JsonItem {
    const start = this.#at;
    const key = kind === 'object' ? this.#key() : null;
    const value = this.#value(depth + 1);
    const end = this.#at;
    this.#tokenEnd = end;
    this.#skip();
    if (this.#text[this.#at] !== ',') return { start, end, key, value, comma: null };
    const comma = this.#at++;
    this.#tokenEnd = this.#at;
    return { start, end, key, value, comma };
  }

  #key(): string {
    if (this.#text[this.#at] !== '"') this.#fail('a name in quotes is expected');
    const { value } = this.#string();
    this.#skip();
    if (this.#text[this.#at] !== ':') this.#fail('a colon is missing');
    this.#at++;
    this.#skip();
    return String(value);
  }

  #string(): JsonScalar {
    const raw = this.#match(STRING) ?? this.#fail('a string is not closed, or not well formed');
    return this.#scalar(raw, JSON.parse(raw) as string);
  }

  #wordOrNumber(): JsonScalar {
    for (const [word, value] of WORDS) if (this.#text.startsWith(word, this.#at)) return this.#scalar(word, value);
    const raw = this.#match(NUMBER) ?? this.#fail('a value is expected');
    return this.#scalar(raw, Number(raw));
  }

  #scalar(raw: string, value: JsonScalar['value']): JsonScalar {
    const start = this.#at;
    this.#at += raw.length;
    this.#tokenEnd = this.#at;
    return { kind: 'scalar', start, end: this.#at, value };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #skip(): void {
    for (;;) {
      const char = this.#text[this.#at];
      if (char === ' ' || char === '\t' || char === '\n' || char === '\r') this.#at++;
      else if (char === '/') this.#comment();
      else return;
    }
  }

  #comment(): void {
    const block = this.#text.startsWith('/*', this.#at);
    if (!block && !this.#text.startsWith('//', this.#at)) this.#fail('there is a / that begins no comment');
    const end = block ? this.#text.indexOf('*/', this.#at + 2) : endOfLine(this.#text, this.#at);
    if (end < 0) this.#fail('a comment is not closed');
    this.#at = block ? end + 2 : end;
    this.#tokenEnd = this.#at;
  }

  #fail(message: string): never {
    throw new BrokenConfig(`it is not JSON: ${message}`, lineAt(this.#text, this.#at));
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}
