import { Buffer } from 'node:buffer';

/**
 * What programs say to their terminal besides OSC 7501: titles, progress, notifications, prompt marks and the status
 * sequences of single terminals. Evidence of lower rank than a status report: none of it has a lifetime, and most of it
 * says that something happened, not how things stand. All text is untrusted.
 */
export type Said =
  | { readonly kind: 'progress'; readonly state: ProgressState; readonly value: number | null }
  | { readonly kind: 'notification'; readonly id: string | null; readonly title: string; readonly body: string }
  | { readonly kind: 'prompt'; readonly mark: PromptMark; readonly exit_code: number | null }
  | { readonly kind: 'cwd'; readonly path: string; readonly local: boolean }
  /** OSC 52: what a program wants on the clipboard; null: more than is kept. */
  | { readonly kind: 'clipboard'; readonly bytes: number; readonly text: string | null }
  | SessionSaid;

/** OSC 9;4: nothing, a value, an error, busy without a value, paused. */
export type ProgressState = 0 | 1 | 2 | 3 | 4;
/** OSC 133: the prompt begins, the command line begins, the command runs, the command has ended. */
export type PromptMark = 'A' | 'B' | 'C' | 'D';

/** Status in a terminal's own dialect: iTerm2's 21337, Otty's 26, Orca's 9999. */
export interface SessionSaid {
  readonly kind: 'session';
  readonly osc: 26 | 9999 | 21337;
  /** null: not said, or in words that are not known. */
  readonly state: 'working' | 'idle' | 'blocked' | null;
  readonly agent: string | null;
  readonly session_id: string | null;
  /** Status in the program's words, or the prompt it works on; null with the other fields: taken back. */
  readonly text: string | null;
}

/** More of a text is not kept. */
const MAX_TEXT = 2048;
/** A person copies less; what is larger is only counted. */
const MAX_CLIPBOARD_BYTES = 64 * 1024;
/** Longer sequences are none of these; JSON is not read to find out. */
const MAX_DATA = 64 * 1024;
/** Longer than any path an operating system takes. */
const MAX_PATH = 4096;

const cut = (text: string) => text.slice(0, MAX_TEXT);

/** OSC 9: ConEmu's numbered commands, of which 4 is progress, or the text of a notification. */
export function readOsc9(data: string): Said | undefined {
  const command = /^(\d{1,2})(?:;|$)/.exec(data);
  if (command === null) return data === '' ? undefined : { kind: 'notification', id: null, title: '', body: cut(data) };
  return command[1] === '4' ? readProgress(data.slice(2)) : undefined;
}

function readProgress(data: string): Said | undefined {
  const [state = '', value = ''] = data.split(';');
  if (!/^[0-4]$/.test(state)) return undefined;
  const percent = /^\d{1,9}$/.test(value) ? Math.min(100, Number(value)) : null;
  const counts = state !== '0' && state !== '3';
  return { kind: 'progress', state: Number(state) as ProgressState, value: counts ? percent : null };
}

/** OSC 777;notify;title;body */
export function readOsc777(data: string): Said | undefined {
  const [command, title = '', ...body] = data.split(';');
  if (command !== 'notify') return undefined;
  return { kind: 'notification', id: null, title: cut(title), body: cut(body.join(';')) };
}

/**
 * OSC 52;selection;base64. Kept for whoever may ask, put on no clipboard. A program that asks for the clipboard is told
 * nothing.
 */
export function readOsc52(data: string): Said | undefined {
  const [, encoded] = /^[cpqs0-7]*;([A-Za-z0-9+/]*={0,2})$/.exec(data) ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Math.floor((encoded.replaceAll('=', '').length * 3) / 4);
  return {
    kind: 'clipboard',
    bytes,
    text: bytes > MAX_CLIPBOARD_BYTES ? null : Buffer.from(encoded, 'base64').toString(),
  };
}

/** OSC 133;mark, with attributes after it; of `D` the first is the exit code. */
export function readOsc133(data: string): Said | undefined {
  const match = /^([ABCD])(?:;(-?\d{1,10})?(?:;|$)|;|$)/.exec(data);
  const mark = match?.[1] as PromptMark | undefined;
  if (mark === undefined) return undefined;
  return { kind: 'prompt', mark, exit_code: mark === 'D' && match?.[2] !== undefined ? Number(match[2]) : null };
}

/**
 * OSC 7: the directory as `file://host/path`, percent-encoded. One of another host (over ssh) is no place here.
 *
 * @param hostname of this machine
 */
export function readOsc7(data: string, hostname: string): Extract<Said, { kind: 'cwd' }> | undefined {
  const [, host, encoded] = /^file:\/\/([^/]*)(\/[^?#]*)/.exec(data) ?? [];
  if (host === undefined || encoded === undefined || encoded.length > MAX_PATH * 3) return undefined;
  const path = decoded(encoded);
  if (path.length > MAX_PATH || /\p{Cc}/u.test(path)) return undefined;
  return { kind: 'cwd', path, local: isThisHost(host, hostname) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign: some shells do not encode at all.
    return path;
  }
}

/** Shells write the short name, the full one, or none. */
function isThisHost(host: string, hostname: string): boolean {
  const short = (name: string) => name.toLowerCase().split('.')[0] ?? '';
  return host === '' || short(host) === 'localhost' || short(host) === short(hostname);
}

/** OSC 21337: `key=value` joined by `;`, with `\` before a `;` or `\` that is meant. Empty values take it back. */
export function readOsc21337(data: string): SessionSaid | undefined {
  const fields = fieldsOf(data);
  if (fields === undefined || !['status', 'indicator', 'detail'].some((key) => fields.has(key))) return undefined;
  const [status, detail] = [fields.get('status') ?? '', fields.get('detail') ?? ''];
  const text = [status, detail].filter((part) => part !== '').join(': ');
  return session(21337, { state: stateIn(status), text });
}

/** OSC 26: fields of the proposal under their likely names, as JSON or as `key=value` pairs. */
export function readOsc26(data: string): SessionSaid | undefined {
  const fields = jsonFields(data) ?? fieldsOf(data);
  if (fields === undefined) return undefined;
  const first = (...keys: string[]) => keys.map((key) => fields.get(key)).find((value) => value !== undefined);
  const status = first('status', 'state');
  const agent = first('agent', 'name', 'app', 'kind');
  const sessionId = first('session', 'session_id', 'sessionId', 'id');
  if (status === undefined && agent === undefined && sessionId === undefined) return undefined;
  const text = first('message', 'msg', 'text', 'title') ?? status ?? '';
  return session(26, { state: stateIn(status ?? ''), agent, session_id: sessionId, text });
}

/** OSC 9999: JSON `{state, prompt, agentType}`. */
export function readOsc9999(data: string): SessionSaid | undefined {
  const fields = jsonFields(data);
  const state = stateIn(fields?.get('state') ?? '');
  if (fields === undefined || state === null) return undefined;
  return session(9999, { state, agent: fields.get('agentType'), text: fields.get('prompt') });
}

interface Fields {
  readonly state: SessionSaid['state'];
  readonly agent?: string | undefined;
  readonly session_id?: string | undefined;
  readonly text?: string | undefined;
}

function session(osc: SessionSaid['osc'], { state, agent, session_id, text }: Fields): SessionSaid {
  const orNull = (value: string | undefined) => (value === undefined || value === '' ? null : cut(value));
  return { kind: 'session', osc, state, agent: orNull(agent), session_id: orNull(session_id), text: orNull(text) };
}

const WORDS: readonly (readonly [SessionSaid['state'], RegExp])[] = [
  ['blocked', /^(?:waiting|blocked|needs[ _-]?(?:input|you|attention)|attention|permission|action required)\b/],
  ['working', /^(?:working|busy|running|thinking|active)\b/],
  ['idle', /^(?:idle|done|ready|finished|complete[d]?)\b/],
];

function stateIn(word: string): SessionSaid['state'] {
  const plain = word.trim().toLowerCase();
  return WORDS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

/** @returns undefined when there is no `key=value` at all */
function fieldsOf(data: string): ReadonlyMap<string, string> | undefined {
  if (data.length > MAX_DATA) return undefined;
  const fields = new Map<string, string>();
  for (const [, key = '', value = ''] of data.matchAll(/(?:^|;)([A-Za-z_-]{1,32})=((?:\\.|[^;\\])*)/gs)) {
    fields.set(key, value.replace(/\\(.)/gs, '$1'));
  }
  return fields.size === 0 ? undefined : fields;
}

function jsonFields(data: string): ReadonlyMap<string, string> | undefined {
  if (data.length > MAX_DATA || !data.startsWith('{')) return undefined;
  try {
    const entries = Object.entries(JSON.parse(data) as object);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    // Half a message, or somebody else's use of the number.
    return undefined;
  }
}
