/** What one event of an agent says. Everything may be missing. */
export interface HookReport {
  readonly session: SessionReport | null;
  /** `gone`: the agent ends. null: the event says nothing about the state. */
  readonly state: 'working' | 'idle' | 'blocked' | 'gone' | null;
  /** With `blocked`: what kind of question waits for the person. */
  readonly question: 'permission' | 'question' | null;
  /** What is asked, one line. Untrusted text. */
  readonly message: string | null;
  /** Order of the event among those of its agent, if the reporter numbers them itself. */
  readonly seq: number | null;
}

export interface SessionReport {
  readonly id: string;
  readonly transcriptPath: string | null;
  /** In the agent's words: `startup`, `resume`, `clear`, `compact` … */
  readonly startReason: string | null;
  /** Set for a session of a sub-agent, where the agent names its parent. */
  readonly parentId: string | null;
}

export const NOTHING: HookReport = { session: null, state: null, question: null, message: null, seq: null };

/** Turns the payload of one event into what it says. Pure. */
export type EventReader = (event: string, payload: Payload) => HookReport;

/** The JSON that an agent gives to its hooks, unchecked. */
export type Payload = Readonly<Record<string, unknown>>;

/** Longer ids and paths are no ids and paths. */
const MAX_TEXT = 4096;
const MAX_MESSAGE = 200;

/** A text by its name in snake case; agents that write camel case have it so. */
export function textIn(payload: Payload, name: string): string | null {
  const value = payload[name] ?? payload[camelCase(name)];
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : null;
}

export function objectIn(payload: Payload, name: string): Payload {
  const value = payload[name] ?? payload[camelCase(name)];
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
}

/** The session of an event by the names that most agents use. */
export function sessionIn(payload: Payload, idName = 'session_id'): SessionReport | null {
  const id = textIn(payload, idName);
  if (id === null) return null;
  return {
    id,
    transcriptPath: textIn(payload, 'transcript_path'),
    startReason: textIn(payload, 'source') ?? textIn(payload, 'reason'),
    parentId: textIn(payload, 'parent_session_id'),
  };
}

export const state = (is: 'working' | 'idle' | 'gone'): HookReport => ({ ...NOTHING, state: is });

export const blocked = (question: 'permission' | 'question', message: string | null): HookReport => ({
  ...NOTHING,
  state: 'blocked',
  question,
  message: message === null ? null : oneLine(message),
});

/** What a tool is about to do, as a person would say it: `Bash: touch hello.txt`. */
export function toolCall(payload: Payload): string | null {
  const name = textIn(payload, 'tool_name');
  const input = { ...objectIn(payload, 'tool_args'), ...objectIn(payload, 'tool_input') };
  const what = ['command', 'file_path', 'path', 'url', 'pattern', 'description']
    .map((key) => input[key])
    .find((value): value is string => typeof value === 'string');
  if (name === null) return what ?? null;
  return what === undefined ? name : `${name}: ${what}`;
}

/** Controls out, blanks joined, not too long. */
function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_MESSAGE * 4)
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= MAX_MESSAGE ? line : `${characters.slice(0, MAX_MESSAGE - 1).join('')}…`;
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
