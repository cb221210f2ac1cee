import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { contract, type MethodName, PUBLIC_METHODS } from './contract/index.js';
import { COMMON_ERRORS } from './errors.js';
import { fieldsOf } from './publish/fields.js';
import { schemaDocument } from './publish/schema-document.js';
import { checkResult, validateParams } from './validate.js';
import { decodeFrame, encodeReply } from './wire/codec.js';
import { DIALECTS, type Dialect, jsonRpc } from './wire/dialects/index.js';
import type { ReplyEnvelope } from './wire/envelope.js';

/** Examples of each public method as they go over the wire in V2: published, and held to the contract here. */
const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const read = (method: string, part: string) => JSON.parse(readFileSync(join(FIXTURES, method, `${part}.json`), 'utf8'));

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(schemaDocument() as object, 'contract');
const valid = (definition: string, value: unknown) => ajv.validate(`contract#/$defs/${definition}`, value);
const envelope = (dialect: Dialect, part: string) => (dialect === jsonRpc ? `json-rpc.${part}` : part);

function decode(line: object) {
  const decoded = decodeFrame(Buffer.from(JSON.stringify(line)));
  if (decoded.kind !== 'request') throw new Error('the fixture is not a request');
  return decoded;
}
function encoded(dialect: Dialect, reply: ReplyEnvelope) {
  return JSON.parse(encodeReply(dialect, reply).toString());
}

/** `surfaces[].id` for every member that a value has. */
function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...pathsIn(inner, at)];
  });
}

it('has fixtures for the public methods and for nothing else', () => {
  expect(readdirSync(FIXTURES).sort()).toEqual(PUBLIC_METHODS);
  for (const method of PUBLIC_METHODS) {
    expect(readdirSync(join(FIXTURES, method)).sort()).toEqual(['error.json', 'reply.json', 'request.json']);
  }
});

describe.each(PUBLIC_METHODS)('%s', (method: MethodName) => {
  const spec = contract[method];

  it('has a request that is valid, canonical, and the same in both dialects', () => {
    const request = read(method, 'request');
    expect(Object.keys(request)).toEqual(['id', 'method', 'params']);
    expect(valid('request', request)).toBe(true);
    expect(valid('json-rpc.request', { jsonrpc: '2.0', ...request })).toBe(true);
    const decoded = decode(request);
    expect(decode({ jsonrpc: '2.0', ...request }).request).toEqual(decoded.request);
    expect(decoded.request.method).toBe(method);
    expect(validateParams(method, decoded.request.params)).toEqual(request.params);
    expect(valid(`${method}.params`, request.params)).toBe(true);
  });

  it('has a reply with declared fields only, in both dialects', () => {
    const reply = read(method, 'reply');
    checkResult(method, reply.result);
    expect(valid(`${method}.result`, reply.result)).toBe(true);
    const declared = new Set(fieldsOf(spec.result).map(({ path }) => path));
    expect(pathsIn(reply.result).filter((path) => !declared.has(path))).toEqual([]);
    for (const dialect of DIALECTS) {
      const line = encoded(dialect, { idJson: JSON.stringify(reply.id), ok: true, result: reply.result });
      expect(valid(envelope(dialect, 'reply'), line)).toBe(true);
      expect(line).toEqual(dialect === jsonRpc ? { jsonrpc: '2.0', id: reply.id, result: reply.result } : reply);
    }
  });

  it('has an error that it can answer, in both dialects', () => {
    const { id, error } = read(method, 'error');
    expect([...spec.errors, ...COMMON_ERRORS]).toContain(error.code);
    for (const dialect of DIALECTS) {
      const line = encoded(dialect, { idJson: JSON.stringify(id), ok: false, error });
      expect(valid(envelope(dialect, 'error'), line)).toBe(true);
    }
  });
});
