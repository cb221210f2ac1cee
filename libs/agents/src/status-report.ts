import { Buffer } from 'node:buffer';

/**
 * One report of the Program Status Protocol (OSC 7501): what a program tells its terminal about its own state.
 * Everything in it is untrusted: it is kept as sent and cleaned (`displayText`) where it is shown.
 */
export const STATUS_OSC = 7501;
export const STATUS_STATES = ['idle', 'working', 'done', 'blocked', 'error'] as const;
export const BLOCKED_KINDS = ['permission', 'question', 'auth'] as const;
export type StatusState = (typeof STATUS_STATES)[number];
export type BlockedKind = (typeof BLOCKED_KINDS)[number];

export interface StatusReport {
  /** Segments joined by `/`; empty for the root record. */
  readonly id: string;
  readonly state: StatusState;
  /** Only of a blocked one. */
  readonly kind: BlockedKind | null;
  /** Percent, only of a working or blocked one. */
  readonly progress: number | null;
  /** Stable name of the program. */
  readonly app: string | null;
  readonly title: string | null;
  /** One line. */
  readonly msg: string | null;
}

/** What the data of one OSC 7501 is. `clear` takes its record and all beneath it; without an id, all records. */
export type StatusMessage =
  | { readonly is: 'query' }
  | { readonly is: 'report'; readonly report: StatusReport }
  | { readonly is: 'clear'; readonly id: string }
  /** Dropped whole, with the key at fault. */
  | { readonly is: 'refused'; readonly why: string };

/** Of the whole sequence: `ESC ] 7501 ;`, the data, and BEL at the least. */
const MAX_SEQUENCE_BYTES = 4096;
const INTRODUCER = `\x1b]${STATUS_OSC};`;
const TERMINATOR = '\x1b\\';
const MAX_DATA_BYTES = MAX_SEQUENCE_BYTES - INTRODUCER.length - 1;

const KEY = /^[a-z]{1,16}$/;
const VALUE = /^[A-Za-z0-9_.,+/=-]*$/;
const MAX_NAME = 32;
const NAME = /^[A-Za-z0-9_.+-]{1,32}$/;
const MAX_ID_BYTES = 128;
const MAX_ID_LEVELS = 8;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const CONTROL = /\p{Cc}/u;
const TEXT_LIMITS = { title: { encoded: 256, decoded: 192 }, msg: { encoded: 2732, decoded: 2048 } } as const;
type TextKey = keyof typeof TEXT_LIMITS;

/** The sequence with which a program asks whether its terminal knows the protocol, and the answer: the same bytes. */
export const STATUS_QUERY = `${INTRODUCER}?${TERMINATOR}`;

class Refused extends Error {}

/** @param data what stands between `7501;` and the terminator */
export function parseStatus(data: string): StatusMessage {
  if (data === '?') return { is: 'query' };
  if (data.length > MAX_DATA_BYTES || Buffer.byteLength(data) > MAX_DATA_BYTES) return { is: 'refused', why: 'length' };
  try {
    return interpret(pairsOf(data));
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', why: error.message };
    throw error;
  }
}

/** A malformed pair is skipped, but for an id, without which the report would be of another record. The last one counts. */
function pairsOf(data: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of data.split(':')) {
    const equals = pair.indexOf('=');
    const [key, value] = [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)];
    if ((KEY.test(key) && VALUE.test(value)) || key === 'id') pairs.set(key, value);
  }
  return pairs;
}

function interpret(pairs: ReadonlyMap<string, string>): StatusMessage {
  const id = readId(pairs.get('id'));
  const [title, msg] = [readText(pairs, 'title'), readText(pairs, 'msg')];
  const app = readApp(pairs.get('app'));
  const state = pairs.get('state');
  if (state === 'clear') return { is: 'clear', id };
  if (!isOneOf(STATUS_STATES, state)) throw new Refused('state');
  const kind = pairs.get('kind');
  const report: StatusReport = {
    id,
    state,
    kind: state === 'blocked' && isOneOf(BLOCKED_KINDS, kind) ? kind : null,
    progress: state === 'working' || state === 'blocked' ? readProgress(pairs.get('progress')) : null,
    app,
    title,
    msg,
  };
  return { is: 'report', report };
}

/** A wrong id must not be taken for none: that would be the root record, or in a `clear` all of them. */
function readId(value: string | undefined): string {
  if (value === undefined) return '';
  const segments = value.split('/');
  const sound = value.length <= MAX_ID_BYTES && segments.length <= MAX_ID_LEVELS && segments.every((s) => NAME.test(s));
  if (!sound) throw new Refused('id');
  return value;
}

function readApp(value: string | undefined): string | null {
  if (value !== undefined && value.length > MAX_NAME) throw new Refused('app');
  return value !== undefined && NAME.test(value) ? value : null;
}

/** What is no percentage says nothing. */
function readProgress(value: string | undefined): number | null {
  return value !== undefined && /^(?:100|\d{1,2})$/.test(value) ? Number(value) : null;
}

function readText(pairs: ReadonlyMap<string, string>, key: TextKey): string | null {
  const value = pairs.get(key);
  if (value === undefined || value === '') return null;
  const limits = TEXT_LIMITS[key];
  if (value.length > limits.encoded || !BASE64.test(value)) throw new Refused(key);
  const bytes = Buffer.from(value, 'base64');
  const text = utf8(bytes);
  if (bytes.length > limits.decoded || text === undefined || CONTROL.test(text)) throw new Refused(key);
  return text;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isOneOf<const T extends string>(values: readonly T[], value: string | undefined): value is T {
  return values.includes(value as T);
}

/** What can be left out of a report that is to be written. */
export type StatusDraft = Pick<StatusReport, 'state'> & Partial<StatusReport>;

/**
 * The sequence that makes a report.
 *
 * @throws RangeError that names the value which the protocol does not take
 */
export function encodeStatus(draft: StatusDraft): string {
  const pairs = [`state=${draft.state}`];
  if (draft.id) pairs.push(`id=${draft.id}`);
  if (draft.kind) pairs.push(`kind=${draft.kind}`);
  if (draft.progress !== undefined && draft.progress !== null) pairs.push(`progress=${draft.progress}`);
  if (draft.app) pairs.push(`app=${draft.app}`);
  for (const key of ['title', 'msg'] as const) {
    const text = draft[key];
    if (text) pairs.push(`${key}=${Buffer.from(text).toString('base64')}`);
  }
  return checked(pairs.join(':'), (message) => {
    const report: Partial<StatusReport> = message.is === 'report' ? message.report : {};
    const keys = ['id', 'kind', 'progress', 'app', 'title', 'msg'] as const;
    return keys.find((key) => said(draft[key]) !== said(report[key]));
  });
}

const said = (value: string | number | null | undefined) => (value === '' || value === undefined ? null : value);

/** The sequence that removes a record with all beneath it; without an id, every record. @throws RangeError */
export function encodeClear(id = ''): string {
  const data = id === '' ? 'state=clear' : `state=clear:id=${id}`;
  return checked(data, (message) => (message.is === 'clear' && message.id === id ? undefined : 'id'));
}

/** What would be read from it has to be what was meant. */
function checked(data: string, lost: (message: StatusMessage) => string | undefined): string {
  const message = parseStatus(data);
  const wrong = message.is === 'refused' ? message.why : lost(message);
  if (wrong !== undefined) throw new RangeError(`the protocol does not take this ${wrong}`);
  return INTRODUCER + data + TERMINATOR;
}
