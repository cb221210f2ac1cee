import { type EventEnvelope, errorReply, type ReplyEnvelope } from '../envelope.js';
import { idText } from '../json-text.js';
import { type Decoded, type Dialect, isObject, jsonOf } from './dialect.js';

/** `{"id","method","params"}` → `{"id","ok":true,"result"}` or `{"id","ok":false,"error":{"code","message","data"}}`. */
export const v2: Dialect = {
  name: 'v2',

  decode(frame, text): Decoded {
    const idJson = Object.hasOwn(frame, 'id') ? idText(frame['id'], text) : 'null';
    const invalid = (message: string): Decoded => ({
      kind: 'error',
      dialect: v2,
      reply: errorReply(idJson, { code: 'invalid_request', message }),
      close: false,
    });
    const method = typeof frame['method'] === 'string' ? frame['method'].trim() : '';
    if (method === '') return invalid('Missing or invalid method');
    const params = Object.hasOwn(frame, 'params') ? frame['params'] : {};
    if (!isObject(params)) return invalid('params must be an object');
    return { kind: 'request', dialect: v2, request: { idJson, expectsReply: true, method, params } };
  },

  encodeReply(reply: ReplyEnvelope): string {
    if (reply.ok) return `{"id":${reply.idJson},"ok":true,"result":${jsonOf(reply.result)}}`;
    const id = reply.idJson === undefined ? '' : `"id":${reply.idJson},`;
    return `{${id}"ok":false,"error":${jsonOf(reply.error)}}`;
  },

  encodeEvent({ event, data }: EventEnvelope): string {
    return jsonOf({ event, ...data });
  },

  eventText(event: string, members: string): string {
    return members === '' ? `{"event":${jsonOf(event)}}` : `{"event":${jsonOf(event)},${members}}`;
  },
};
