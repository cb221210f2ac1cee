import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SwitchyardError } from '../errors.js';
import { decodeFrame, encodeEvent, encodeReply, tooLargeReply } from './codec.js';
import { DIALECTS, jsonRpc, v2 } from './dialects/index.js';
import { errorReply, okReply } from './envelope.js';

/** The parsed answer that a line gets at once, or undefined when it is a request. */
function refusal(line: string | Buffer) {
  const decoded = decodeFrame(Buffer.from(line as string));
  if (decoded.kind !== 'error') return undefined;
  return JSON.parse(encodeReply(decoded.dialect, decoded.reply).toString());
}
function request(line: string) {
  const decoded = decodeFrame(Buffer.from(line));
  if (decoded.kind !== 'request') throw new Error(`not a request: ${line}`);
  return decoded;
}
const code = (name: string) => expect.objectContaining({ code: name });

describe('decodeFrame, V2', () => {
  it('reads id, method and params', () => {
    expect(request('{"id":7,"method":" a.b ","params":{"x":1}}')).toEqual({
      kind: 'request',
      dialect: v2,
      request: { idJson: '7', expectsReply: true, method: 'a.b', params: { x: 1 } },
    });
  });

  it('takes absent params as none and an absent id as null', () => {
    expect(request('{"method":"a"}').request).toMatchObject({ idJson: 'null', params: {} });
  });

  it.each([
    ['not an object at all', 'hello', { id: null, ok: false, error: code('v1_removed') }],
    ['a JSON string', '"x"', { id: null, ok: false, error: code('v1_removed') }],
    ['a V2 array', '[{"id":1}]', { id: null, ok: false, error: code('v1_removed') }],
    ['malformed JSON', '{nope', { ok: false, error: code('parse_error') }],
    ['two objects on one line', '{"id":1,"method":"a"}{"id":2}', { id: 1, ok: false, error: code('parse_error') }],
    ['a line cut off within a number', '{"id":1', { ok: false, error: code('parse_error') }],
    ['a NUL within', '{"id":"x","method":"a\u0000"}', { id: 'x', ok: false, error: code('parse_error') }],
    ['no method', '{"id":1}', { id: 1, ok: false, error: code('invalid_request') }],
    ['a blank method', '{"id":1,"method":"  "}', { id: 1, ok: false, error: code('invalid_request') }],
    ['a method that is no string', '{"id":[1],"method":5}', { id: [1], ok: false, error: code('invalid_request') }],
    ['params of null', '{"id":1,"method":"a","params":null}', { id: 1, ok: false, error: code('invalid_request') }],
    ['params as an array', '{"id":1,"method":"a","params":[]}', { id: 1, ok: false, error: code('invalid_request') }],
    ['no id and no method', '{}', { id: null, ok: false, error: code('invalid_request') }],
  ])('answers %s', (_what, line, answer) => {
    expect(refusal(line)).toEqual(answer);
  });

  it('answers invalid UTF-8 with a null id and closes', () => {
    const decoded = decodeFrame(Buffer.from([0x7b, 0xff, 0x7d]));
    expect(decoded).toMatchObject({ kind: 'error', close: true, reply: { idJson: 'null' } });
    expect(refusal(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ id: null, error: code('invalid_utf8') });
  });

  it('leaves the id key out when a line is too long to be read', () => {
    const answer = JSON.parse(encodeReply(v2, tooLargeReply(8)).toString());
    expect(answer).toEqual({
      ok: false,
      error: { code: 'payload_too_large', message: expect.any(String), data: { max_bytes: 8 } },
    });
  });

  it('C12: gives every id back exactly, lone surrogates and numbers beyond JavaScript included', () => {
    for (const id of [
      '"\\ud800"',
      '12345678901234567890',
      '1.50',
      '{"a":[null]}',
      '-7e2',
      'null',
      'true',
      '"\\u0000"',
    ]) {
      const { request: read } = request(`{"params":{"id":9},"id" : ${id} ,"method":"a"}`);
      expect(JSON.parse(read.idJson)).toEqual(JSON.parse(id));
      expect(encodeReply(v2, okReply(read, {})).toString()).toBe(`{"id":${read.idJson},"ok":true,"result":{}}\n`);
    }
    expect(request('{"id":12345678901234567890,"method":"a"}').request.idJson).toBe('12345678901234567890');
  });

  it('refuses an id that is nested too deeply to be given back', () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    expect(refusal(`{"id":${deep},"method":"a"}`)).toEqual({ ok: false, error: code('invalid_request') });
  });

  it('never throws, whatever the line', () => {
    const anything = fc.oneof(
      fc.uint8Array().map((a) => Buffer.from(a)),
      fc.json().map((s) => Buffer.from(s)),
      fc.json().map((s) => Buffer.from(`{"id":${s},"method":"a","params":${s},"jsonrpc":"2.0"}`)),
      fc.tuple(fc.json(), fc.nat(60)).map(([s, n]) => Buffer.from(`{"id":1,"method":"a","params":${s}}`.slice(0, n))),
    );
    fc.assert(
      fc.property(anything, (line) => {
        const decoded = decodeFrame(line);
        if (decoded.kind === 'error') JSON.parse(encodeReply(decoded.dialect, decoded.reply).toString());
      }),
      { numRuns: 500 },
    );
  });
});

describe('decodeFrame, JSON-RPC 2.0', () => {
  it('is chosen by the request itself', () => {
    expect(request('{"jsonrpc":"2.0","id":"a","method":"m"}').dialect).toBe(jsonRpc);
    expect(request('{"jsonrpc":"1.0","id":"a","method":"m"}').dialect).toBe(v2);
  });

  it('marks a request without an id as one that nobody answers', () => {
    expect(request('{"jsonrpc":"2.0","method":"m"}').request.expectsReply).toBe(false);
    expect(request('{"jsonrpc":"2.0","id":null,"method":"m"}').request.expectsReply).toBe(true);
    expect(decodeFrame(Buffer.from('{"jsonrpc":"2.0","method":"m","params":3}'))).toEqual({ kind: 'nothing' });
  });

  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"m"}]', null, -32600, 'invalid_request'],
    ['an id of the wrong type', '{"jsonrpc":"2.0","id":[],"method":"m"}', null, -32600, 'invalid_request'],
    ['no method', '{"jsonrpc":"2.0","id":1}', 1, -32600, 'invalid_request'],
    ['positional params', '{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}', 1, -32602, 'invalid_params'],
    ['params of null', '{"jsonrpc":"2.0","id":1,"method":"m","params":null}', 1, -32600, 'invalid_request'],
    ['malformed JSON', '{"jsonrpc":"2.0","id":"x","params":{]}', 'x', -32700, 'parse_error'],
  ])('answers %s', (_what, line, id, number, ours) => {
    expect(refusal(line)).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: number, message: expect.any(String), data: { code: ours } },
    });
  });
});

describe('encodeReply', () => {
  it('carries code, message and data of an error in both dialects', () => {
    const reply = errorReply('1', new SwitchyardError('not_found', 'gone', { surface_id: 'S', code: 'x' }));
    expect(JSON.parse(encodeReply(v2, reply).toString())).toEqual({
      id: 1,
      ok: false,
      error: { code: 'not_found', message: 'gone', data: { surface_id: 'S', code: 'x' } },
    });
    expect(JSON.parse(encodeReply(jsonRpc, reply).toString())).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32000, message: 'gone', data: { surface_id: 'S', code: 'not_found' } },
    });
  });

  it('leaves data out when there is none', () => {
    expect(encodeReply(v2, errorReply('1', new SwitchyardError('timeout', 'late'))).toString()).toBe(
      '{"id":1,"ok":false,"error":{"code":"timeout","message":"late"}}\n',
    );
  });

  it('gives back any JSON value on one line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...DIALECTS), (result, dialect) => {
        const line = encodeReply(dialect, { idJson: '1', ok: true, result }).toString();
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(JSON.stringify(JSON.parse(line).result)).toEqual(JSON.stringify(result));
      }),
    );
  });

  it('keeps a lone surrogate as valid JSON', () => {
    const line = encodeReply(v2, { idJson: '1', ok: true, result: { text: 'a\ud800b' } });
    expect(JSON.parse(line.toString('utf8')).result.text).toBe('a\ud800b');
  });

  it.each(DIALECTS)('G6: says response_too_large to the same id ($name)', (dialect) => {
    const reply = { idJson: '9', ok: true, result: { text: 'é'.repeat(60) } } as const;
    const whole = encodeReply(dialect, reply);
    expect(encodeReply(dialect, reply, whole.length - 1)).toEqual(whole);
    const refused = JSON.parse(encodeReply(dialect, reply, whole.length - 2).toString());
    expect(refused.id).toBe(9);
    expect(JSON.stringify(refused.error)).toContain('response_too_large');
  });

  it('says encode_error, with the id, for what JSON cannot hold', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const result of [cycle, 1n, undefined]) {
      const answer = JSON.parse(encodeReply(v2, { idJson: '4', ok: true, result }).toString());
      expect(answer).toMatchObject({ id: 4, ok: false, error: { code: 'encode_error' } });
    }
  });
});

describe('encodeEvent', () => {
  it('spells an event as an object without an id, or as a JSON-RPC notification', () => {
    const event = { event: 'output', data: { text: 'x' } };
    expect(encodeEvent(v2, event)?.toString()).toBe('{"event":"output","text":"x"}\n');
    expect(JSON.parse(String(encodeEvent(jsonRpc, event)))).toEqual({
      jsonrpc: '2.0',
      method: 'output',
      params: { text: 'x' },
    });
  });

  it('gives nothing for an event over the limit', () => {
    expect(encodeEvent(v2, { event: 'output', data: { text: 'x'.repeat(100) } }, 50)).toBeUndefined();
  });
});
