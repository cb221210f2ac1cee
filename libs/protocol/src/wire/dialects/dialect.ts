import type { EventEnvelope, ReplyEnvelope, RequestEnvelope } from '../envelope.js';

/** What one line of a client turned out to be. */
export type Decoded =
  | { readonly kind: 'request'; readonly dialect: Dialect; readonly request: RequestEnvelope }
  /** It cannot be served; `close` when nothing after it can be trusted. */
  | { readonly kind: 'error'; readonly dialect: Dialect; readonly reply: ReplyEnvelope; readonly close: boolean }
  /** A bad notification: by the rules of its dialect nothing is answered. */
  | { readonly kind: 'nothing' };

/** One spelling of the envelope. Pure: text in, text out. */
export interface Dialect {
  readonly name: 'v2' | 'json-rpc';
  /**
   * @param frame a parsed JSON object in this dialect
   * @param text the line it was parsed from
   */
  decode(frame: Record<string, unknown>, text: string): Decoded;
  /** @throws TypeError, RangeError when the result cannot be written as JSON */
  encodeReply(reply: ReplyEnvelope): string;
  /** @throws TypeError, RangeError when the data cannot be written as JSON */
  encodeEvent(event: EventEnvelope): string;
  /**
   * The same for data that is JSON already, as it goes to many clients.
   *
   * @param members the JSON of an object without its braces
   */
  eventText(event: string, members: string): string;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text of any value. JSON.stringify gives undefined for what JSON cannot say. */
export function jsonOf(value: unknown): string {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError('the value has no JSON form');
  return json;
}
