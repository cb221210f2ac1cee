import type { ServerResponse } from 'node:http';

/** JSON whose shape is not known; every field of it may be missing. */
export type Json = Readonly<Record<string, unknown>>;

/** A tool that an agent offers to its model. */
export interface Tool {
  readonly name: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Json;
}

/** What an agent asks of its model, whatever the protocol. */
export interface Asked {
  /** Empty: no turn of the agent, but something beside it, such as a title for the conversation. */
  readonly tools: readonly Tool[];
  /** Each text that the person has sent in this conversation, oldest first; one message may have several. */
  readonly prompts: readonly string[];
  /** Those of them that came after the model spoke last, its calls of tools aside. */
  readonly latest: readonly string[];
  /** A tool has run since. */
  readonly afterTool: boolean;
}

/** The answer to one request, as far as it was said. */
export interface Answer {
  text(part: string): void;
  call(tool: string, input: Json): void;
  end(): void;
}

/** How the models of one vendor are spoken to. */
export interface Dialect {
  speaks(path: string): boolean;
  read(body: Json): Asked;
  /** Begins an answer that is streamed, or sent as one piece. */
  answer(response: ServerResponse, stream: boolean): Answer;
  streams(path: string, body: Json): boolean;
}

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A tool as most vendors describe it; some hide it one level deeper. */
export function toolsOf(value: unknown, inside: 'function' | null = null, schema = 'parameters'): Tool[] {
  return listOf(value)
    .map((each) => (inside === null ? each : objectOf(each[inside])))
    .filter((each) => textOf(each['name']) !== '')
    .map((each) => ({ name: textOf(each['name']), parameters: objectOf(each[schema]) }));
}

/** A message in the order of the conversation. */
export interface Message {
  readonly by: 'person' | 'tool' | 'model';
  readonly texts: readonly string[];
}

export function askedOf(tools: readonly Tool[], messages: readonly Message[]): Asked {
  const last = messages.findLastIndex(({ by }) => by === 'person');
  const first = messages.slice(0, last + 1).findLastIndex(({ by }) => by !== 'person') + 1;
  return {
    tools,
    prompts: textsOf(messages),
    latest: textsOf(messages.slice(first, last + 1)),
    afterTool: messages.slice(last + 1).some(({ by }) => by === 'tool'),
  };
}

const textsOf = (messages: readonly Message[]): string[] =>
  messages.filter(({ by }) => by === 'person').flatMap(({ texts }) => texts.map((text) => text.trim()));

/** Server-sent events, as all vendors stream. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  }

  /** @param name null: the data say what they are */
  send(name: string | null, data: unknown): void {
    const line = typeof data === 'string' ? data : JSON.stringify(data);
    this.#response.write(`${name === null ? '' : `event: ${name}\n`}data: ${line}\n\n`);
  }

  end(): void {
    this.#response.end();
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

let count = 0;
/** An id that no other answer has. */
export const freshId = (prefix: string): string => `${prefix}_${String(++count).padStart(8, '0')}`;
