import { BrokenConfig } from './broken-config.js';
import type { FileEditor, Found } from './editor.js';
import { type Entry, insertItem, removeItem, rootObject, styleOf } from './json-splice.js';
import { type JsonArray, type JsonItem, type JsonObject, jsonValue, member } from './json-text.js';
import { ownVersion } from './launcher.js';
import { sameJson } from './same-json.js';

/** What is put into the list of one event. */
export interface HookEntry {
  readonly event: string;
  /** A command on its own, or a group `{matcher?, hooks: [command]}`. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** A setting with which a person switches all hooks off. */
export interface Switch {
  readonly path: readonly string[];
  readonly off: boolean;
}

export interface JsonHooks {
  readonly entries: readonly HookEntry[];
  /** The member that holds the events; null: the file itself does. Default `hooks`. */
  readonly place?: string | null;
  /** What a new file holds besides: `{version: 1}`. */
  readonly scaffold?: Readonly<Record<string, unknown>>;
  readonly switches?: readonly Switch[];
  /** A file without `hooks` may have another form, of which nothing is known: it is refused. */
  readonly onlyInto?: boolean;
}

const HOOKS = 'hooks';
/** Names under which agents keep the command line of a hook. */
const COMMAND_KEYS = ['command', 'bash'];

type Place = string | null;

/** Hooks as lists of commands by event, in a JSON file that a person may have written by hand. */
export function jsonHooks({
  entries,
  place = HOOKS,
  scaffold = {},
  switches = [],
  onlyInto = false,
}: JsonHooks): FileEditor {
  const remove = (text: string, original?: string | null) => removeOwn(text, place, hadBefore(original));
  return {
    find: (text) => findOwn(text, place, entries),
    add: (text) => {
      const start = text === null || text.trim() === '' ? `${JSON.stringify(scaffold, null, 2)}\n` : remove(text);
      if (onlyInto && text !== null && hooksIn(objectIn(text), place) === undefined) refuse(`it has no \`${place}\``);
      return putAll(start, place, entries);
    },
    remove,
    isBlank: (text) => {
      const root = text.trim() === '' ? {} : jsonValue(objectIn(text));
      return sameJson(root, scaffold) || sameJson(root, {});
    },
    remarks: (text) => (text.trim() === '' ? [] : switches.flatMap((one) => switchedOff(objectIn(text), one))),
  };
}

/** All that the list of an event has, each with what of it is ours. */
interface OwnPart {
  readonly event: string;
  readonly list: JsonArray;
  readonly item: JsonItem;
  /** Set when only some commands of a group are ours: the group, and the command in it. */
  readonly inner: { readonly list: JsonArray; readonly item: JsonItem } | null;
}

function putAll(text: string, place: Place, entries: readonly HookEntry[]): string {
  const root = objectIn(text);
  if (place !== null && member(root, place) === undefined) {
    const hooks = Object.fromEntries(entries.map(({ event, entry }) => [event, [entry]]));
    return insertItem(text, root, { key: place, value: hooks }, styleOf(text, root));
  }
  return entries.reduce((before, entry) => putOne(before, place, entry), text);
}

function putOne(text: string, place: Place, { event, entry }: HookEntry): string {
  const root = objectIn(text);
  const hooks = hooksIn(root, place) ?? root;
  const list = listOf(hooks, event);
  const item: Entry = list === undefined ? { key: event, value: [entry] } : { key: null, value: entry };
  return insertItem(text, list ?? hooks, item, styleOf(text, root));
}

type HadBefore = (path: readonly string[]) => boolean;

function removeOwn(text: string, place: Place, had: HadBefore): string {
  if (text.trim() === '') return text;
  const part = ownParts(text, place)[0];
  if (part === undefined) return text;
  const { event, list, item, inner } = part;
  const cut = inner ? removeItem(text, inner.list, inner.item) : removeItem(text, list, item);
  return removeOwn(withoutEmpty(cut, place, event, had), place, had);
}

/** An empty list or an empty place that we leave behind goes too. */
function withoutEmpty(text: string, place: Place, event: string, had: HadBefore): string {
  const root = objectIn(text);
  const hooks = hooksIn(root, place);
  const list = hooks && member(hooks, event);
  const path = place === null ? [] : [place];
  if (!hooks || list?.value.kind !== 'array' || list.value.items.length > 0 || had([...path, event])) return text;
  const cut = removeItem(text, hooks, list);
  if (place === null) return cut;
  const after = objectIn(cut);
  const left = member(after, place);
  const empty = left?.value.kind === 'object' && left.value.items.length === 0;
  return left && empty && !had(path) ? removeItem(cut, after, left) : cut;
}

function findOwn(text: string, place: Place, entries: readonly HookEntry[]): Found {
  if (text.trim() === '') return 'missing';
  const parts = ownParts(text, place);
  if (parts.length === 0) return 'missing';
  const written = parts.map(({ event, item, inner }) => ({ event, entry: inner ? null : jsonValue(item.value) }));
  const same = entries.every((wanted) => written.some((one) => sameJson(one, wanted)));
  return same && parts.length === entries.length ? 'current' : 'outdated';
}

function ownParts(text: string, place: Place): OwnPart[] {
  const hooks = hooksIn(objectIn(text), place);
  if (hooks === undefined) return [];
  return hooks.items.flatMap(({ key, value }) => {
    if (value.kind !== 'array') return [];
    return value.items.flatMap((item) => ownIn(key ?? '', value, item));
  });
}

function ownIn(event: string, list: JsonArray, item: JsonItem): OwnPart[] {
  if (item.value.kind !== 'object') return [];
  if (isOwnCommand(item.value)) return [{ event, list, item, inner: null }];
  const group = member(item.value, HOOKS)?.value;
  if (group?.kind !== 'array') return [];
  const own = group.items.filter((one) => one.value.kind === 'object' && isOwnCommand(one.value));
  if (own.length === 0) return [];
  if (own.length === group.items.length) return [{ event, list, item, inner: null }];
  return own.map((one) => ({ event, list, item, inner: { list: group, item: one } }));
}

function isOwnCommand(node: JsonObject): boolean {
  return COMMAND_KEYS.some((key) => {
    const value = member(node, key)?.value;
    return value?.kind === 'scalar' && typeof value.value === 'string' && ownVersion(value.value) !== null;
  });
}

function objectIn(text: string): JsonObject {
  return rootObject(text) ?? refuse('it holds no object');
}

function hooksIn(root: JsonObject, place: Place): JsonObject | undefined {
  if (place === null) return root;
  const hooks = member(root, place);
  if (hooks === undefined) return undefined;
  return hooks.value.kind === 'object' ? hooks.value : refuse(`\`${place}\` is not an object`);
}

function listOf(hooks: JsonObject, event: string): JsonArray | undefined {
  const list = member(hooks, event);
  if (list === undefined) return undefined;
  return list.value.kind === 'array' ? list.value : refuse(`\`${event}\` of the hooks is not a list`);
}

/** Whether something was in the file before us. Of a file that is not known nothing was. */
function hadBefore(original: string | null | undefined): (path: readonly string[]) => boolean {
  if (original === undefined || original === null || original.trim() === '') return () => false;
  return (path) => lookUp(objectIn(original), path) !== undefined;
}

function lookUp(root: JsonObject, path: readonly string[]): JsonItem | undefined {
  const [key = '', ...rest] = path;
  const found = member(root, key);
  if (rest.length === 0 || found === undefined) return found;
  return found.value.kind === 'object' ? lookUp(found.value, rest) : undefined;
}

function switchedOff(root: JsonObject, { path, off }: Switch): string[] {
  const set = lookUp(root, path)?.value;
  return set?.kind === 'scalar' && set.value === off ? [`${path.join('.')} is ${off}: the agent runs no hooks`] : [];
}

function refuse(message: string): never {
  throw new BrokenConfig(message);
}
