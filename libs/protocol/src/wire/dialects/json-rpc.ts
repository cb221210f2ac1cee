import type { ErrorCode } from '../../errors.js';
import { type EventEnvelope, errorReply, type ReplyEnvelope } from '../envelope.js';
import { idText } from '../json-text.js';
import { type Decoded, type Dialect, isObject, jsonOf } from './dialect.js';

/** The codes that JSON-RPC 2.0 defines. Everything else is a server error, told apart by `data.code`. */
const NUMBERS: Partial<Record<ErrorCode, number>> = {
  parse_error: -32_700,
  invalid_utf8: -32_700,
  invalid_request: -32_600,
  v1_removed: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
};
const SERVER_ERROR = -32_000;

/** @returns the number that JSON-RPC clients see for one of our codes */
export function jsonRpcNumber(code: ErrorCode): number {
  return NUMBERS[code] ?? SERVER_ERROR;
}

/** JSON-RPC 2.0 with parameters by name. Errors carry our code, and our data, in `data`. */
export const jsonRpc: Dialect = {
  name: 'json-rpc',

  decode(frame, text): Decoded {
    const id = frame['id'];
    const expectsReply = Object.hasOwn(frame, 'id');
    const error = (idJson: string, code: ErrorCode, message: string): Decoded => ({
      kind: 'error',
      dialect: jsonRpc,
      reply: errorReply(idJson, { code, message }),
      close: false,
    });
    if (expectsReply && id !== null && typeof id !== 'string' && typeof id !== 'number') {
      return error('null', 'invalid_request', 'id must be a string, a number or null');
    }
    const idJson = expectsReply ? idText(id, text) : 'null';
    const method = typeof frame['method'] === 'string' ? frame['method'].trim() : '';
    if (method === '') return error(idJson, 'invalid_request', 'Missing or invalid method');
    const params = Object.hasOwn(frame, 'params') ? frame['params'] : {};
    if (isObject(params)) {
      return { kind: 'request', dialect: jsonRpc, request: { idJson, expectsReply, method, params } };
    }
    if (!expectsReply) return { kind: 'nothing' };
    if (Array.isArray(params)) return error(idJson, 'invalid_params', 'Parameters are given by name, not by place');
    return error(idJson, 'invalid_request', 'params must be an object');
  },

  encodeReply(reply: ReplyEnvelope): string {
    const id = reply.idJson ?? 'null';
    if (reply.ok) return `{"jsonrpc":"2.0","id":${id},"result":${jsonOf(reply.result)}}`;
    const { code, message, data } = reply.error;
    const error = { code: jsonRpcNumber(code), message, data: { ...data, code } };
    return `{"jsonrpc":"2.0","id":${id},"error":${jsonOf(error)}}`;
  },

  encodeEvent({ event, data }: EventEnvelope): string {
    return jsonOf({ jsonrpc: '2.0', method: event, params: data });
  },

  eventText(event: string, members: string): string {
    return `{"jsonrpc":"2.0","method":${jsonOf(event)},"params":{${members}}}`;
  },
};
