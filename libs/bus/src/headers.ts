import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { ErrorCode } from '@switchyard/protocol';
import type { Caller, OnBehalf } from './types.js';

/** What a request says besides its parameters. One header with JSON: one line to write and to read. */
export interface CallMeta {
  /** Milliseconds the caller will still wait. A duration, because clocks of two hosts differ. */
  readonly timeout: number;
  readonly caller: Caller;
  readonly request_id?: string;
  /** Do not start it: answer only when it has been seen before. */
  readonly only_if_seen?: true;
  /** Who else is to have the result. */
  readonly on_behalf?: OnBehalf;
  /** The payload is empty; this many bytes are to be fetched from the caller. */
  readonly body?: number;
}

/** What a reply says besides its result. A result that fits in one message needs no header at all. */
export interface ReplyMeta {
  /** The payload is `{code, message, data}`. */
  readonly error?: ErrorCode;
  /** The answer to `only_if_seen`: nothing of that id was started in the last so many milliseconds. */
  readonly not_seen_for?: number;
  /** One of many pieces. */
  readonly part?: Part;
}

export interface Part {
  /** Which sending of the reply the piece belongs to: a repeated reply must not mix with the first. */
  readonly stream: string;
  /** From 0, without holes. */
  readonly index: number;
  /** In the last piece only: how many there are. */
  readonly count?: number;
}

const CALL = 'Sy-Call';
const REPLY = 'Sy-Reply';
/** Status of a message that the broker sends when nobody listens to a request. */
const NO_RESPONDERS = 503;

export function callHeaders(meta: CallMeta): MsgHdrs {
  const made = headers();
  made.set(CALL, JSON.stringify(meta));
  return made;
}

/** @returns undefined for a request that did not come from `call()` */
export function readCallHeaders(message: Msg): CallMeta | undefined {
  return readJson<CallMeta>(message.headers?.get(CALL));
}

export function replyHeaders(meta: ReplyMeta): MsgHdrs {
  const made = headers();
  made.set(REPLY, JSON.stringify(meta));
  return made;
}

export function readReplyHeaders(message: Msg): ReplyMeta {
  return readJson<ReplyMeta>(message.headers?.get(REPLY)) ?? {};
}

export function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === NO_RESPONDERS;
}

function readJson<T>(text: string | undefined): T | undefined {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined; // A stranger's header: the same as none.
  }
}
