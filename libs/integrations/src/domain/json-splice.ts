import { type JsonContainer, type JsonItem, type JsonObject, parseJson } from './json-text.js';

/** How a text is laid out, so that what is put into it looks like the rest. */
export interface JsonStyle {
  /** Between lines; null: the whole text is one line. */
  readonly newline: '\n' | '\r\n' | null;
  readonly indent: string;
}

const DEFAULT_INDENT = '  ';

export function styleOf(text: string, root: JsonObject): JsonStyle {
  const newline = text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : null;
  const first = root.items[0];
  return { newline, indent: (first && leadOf(text, first.start)) || DEFAULT_INDENT };
}

/**
 * Puts an item behind the last one of a container and touches nothing else. {@link removeItem} takes it back exactly,
 * unless the container was empty.
 */
export function insertItem(text: string, container: JsonContainer, item: Entry, style: JsonStyle): string {
  const last = container.items.at(-1);
  if (last === undefined && container.contentEnd === container.start + 1) {
    return replace(text, container.start + 1, container.end - 1, filling(text, container, item, style));
  }
  const onOwnLine =
    style.newline !== null && (last === undefined || text.slice(container.start, last.start).includes('\n'));
  const depth = onOwnLine ? childIndent(text, container, style) : null;
  const needsLine = depth === null && text.slice(last?.end ?? container.start, container.contentEnd).includes('//');
  const gap = depth !== null ? `${style.newline}${depth}` : needsLine ? '\n' : gapBefore(text, container, style);
  const trailing = last !== undefined && last.comma !== null ? ',' : '';
  const written = replace(
    text,
    container.contentEnd,
    container.contentEnd,
    `${gap}${render(item, style, depth)}${trailing}`,
  );
  return last === undefined || last.comma !== null ? written : replace(written, last.end, last.end, ',');
}

/** Something to put into a container; the key is for objects. */
export interface Entry {
  readonly key: string | null;
  readonly value: unknown;
}

/** Takes out one item with the comma and the blanks that came with it. Comments of its neighbours stay. */
export function removeItem(text: string, container: JsonContainer, item: JsonItem): string {
  const index = container.items.indexOf(item);
  const before = container.items[index - 1];
  if (container.items.length === 1 && container.contentEnd === (item.comma ?? item.end - 1) + 1) {
    const blank = text.slice(container.start + 1, item.start).trim() === '';
    if (blank) return replace(text, container.start + 1, container.end - 1, '');
  }
  const from = blankStart(text, item.start);
  if (item.comma !== null) return replace(text, from, item.comma + 1, '');
  const cut = replace(text, from, item.end, '');
  return before === undefined || before.comma === null ? cut : replace(cut, before.comma, before.comma + 1, '');
}

/** The text parsed anew: offsets are good for one change only. */
export function rootObject(text: string): JsonObject | null {
  const root = parseJson(text);
  return root.kind === 'object' ? root : null;
}

function filling(text: string, container: JsonContainer, item: Entry, style: JsonStyle): string {
  if (style.newline === null) return render(item, style, null);
  const inner = childIndent(text, container, style);
  return `${style.newline}${inner}${render(item, style, inner)}${style.newline}${lineIndent(text, container.start)}`;
}

/** @param indent of the line it begins; null: it goes into a line with others */
function render({ key, value }: Entry, style: JsonStyle, indent: string | null): string {
  const name = key === null ? '' : `${JSON.stringify(key)}:${style.newline === null ? '' : ' '}`;
  if (indent === null) return name + JSON.stringify(value);
  const lines = JSON.stringify(value, null, style.indent).split('\n');
  return name + lines.join(`${style.newline}${indent}`);
}

function childIndent(text: string, container: JsonContainer, style: JsonStyle): string {
  const last = container.items.at(-1);
  const known = last && leadOf(text, last.start);
  return known ?? lineIndent(text, container.start) + style.indent;
}

/** `, ` or `,`: as the items before are told apart. */
function gapBefore(text: string, { items }: JsonContainer, { newline }: JsonStyle): string {
  const second = items[1];
  const sample = second ? text[second.start - 1] : text[(items[0]?.start ?? 1) - 1];
  return sample === ' ' || newline !== null ? ' ' : '';
}

/** The blanks before an offset, if nothing else stands before it in its line. */
function leadOf(text: string, offset: number): string | undefined {
  const lead = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]+$/.test(lead) ? lead : undefined;
}

function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function blankStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /[ \t\r\n]/.test(text[at - 1] ?? '')) at--;
  return at;
}

function replace(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
