import { isUtf8 } from 'node:buffer';
import type { ErrorCode } from '../errors.js';
import { isObject } from './dialects/dialect.js';
import { type Decoded, type Dialect, dialectOf, jsonRpc, v2 } from './dialects/index.js';
import { type ErrorBody, type EventEnvelope, errorReply, type ReplyEnvelope } from './envelope.js';
import { frameOf, MAX_REPLY_BYTES } from './frame-writer.js';
import { leadingMembers } from './json-text.js';

/**
 * Reads one line of a client (programa-api §2.2).
 *
 * @param line without its newline
 * @returns the request, or the error to answer; never throws
 */
export function decodeFrame(line: Buffer): Decoded {
  if (!isUtf8(line)) return refusal(v2, 'null', 'invalid_utf8', 'The line is not valid UTF-8', true);
  const text = line.toString('utf8').trim();
  if (!text.startsWith('{')) return notAnObject(text);
  const frame = parse(text);
  if (!isObject(frame)) return malformed(text);
  try {
    return dialectOf(frame).decode(frame, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refusal(v2, undefined, 'invalid_request', 'The id is nested too deeply');
  }
}

/** The answer to a line over the limit, after which the connection closes. */
export function tooLargeReply(maxBytes: number): ReplyEnvelope {
  const message = `A request line may have at most ${maxBytes} bytes`;
  return errorReply(undefined, { code: 'payload_too_large', message, data: { max_bytes: maxBytes } });
}

/**
 * Writes one reply as a line.
 *
 * @returns the line with its newline. When the reply is over `maxBytes` or has no JSON form, the line says so to the
 *   same id; never throws for anything a handler returned.
 */
export function encodeReply(dialect: Dialect, reply: ReplyEnvelope, maxBytes: number = MAX_REPLY_BYTES): Buffer {
  const outcome = attempt(() => dialect.encodeReply(reply), maxBytes);
  if (Buffer.isBuffer(outcome)) return outcome;
  const short = errorReply(reply.idJson, outcome);
  return Buffer.from(`${dialect.encodeReply(short)}\n`, 'utf8');
}

/**
 * Writes one event as a line.
 *
 * @returns undefined when it is over `maxBytes` or has no JSON form: the caller counts it as dropped
 */
export function encodeEvent(
  dialect: Dialect,
  event: EventEnvelope,
  maxBytes: number = MAX_REPLY_BYTES,
): Buffer | undefined {
  const outcome = attempt(() => dialect.encodeEvent(event), maxBytes);
  return Buffer.isBuffer(outcome) ? outcome : undefined;
}

function attempt(write: () => string, maxBytes: number): Buffer | ErrorBody {
  const tooLarge: ErrorBody = {
    code: 'response_too_large',
    message: `The reply is over ${maxBytes} bytes; ask for less`,
    data: { max_bytes: maxBytes },
  };
  try {
    return frameOf(write(), maxBytes) ?? tooLarge;
  } catch (error) {
    // V8 says the same class of error for a string beyond its limit and for nesting beyond the stack.
    if (error instanceof RangeError && /string length/i.test(error.message)) return tooLarge;
    return { code: 'encode_error', message: 'The result cannot be written as JSON' };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(
  dialect: Dialect,
  idJson: string | undefined,
  code: ErrorCode,
  message: string,
  close = false,
): Decoded {
  return { kind: 'error', dialect, reply: errorReply(idJson, { code, message }), close };
}

/** A batch of JSON-RPC, or the text protocol of old. */
function notAnObject(text: string): Decoded {
  const batch = text.startsWith('[') ? parse(text) : undefined;
  if (Array.isArray(batch) && batch.some((item) => isObject(item) && item['jsonrpc'] === '2.0')) {
    return refusal(jsonRpc, 'null', 'invalid_request', 'Batches are not supported: send one request a line');
  }
  return refusal(v2, 'null', 'v1_removed', 'A request is one JSON object a line');
}

function malformed(text: string): Decoded {
  const members = leadingMembers(text);
  const dialect = members.get('jsonrpc') === '"2.0"' ? jsonRpc : v2;
  return refusal(dialect, members.get('id'), 'parse_error', 'The line is not valid JSON');
}
