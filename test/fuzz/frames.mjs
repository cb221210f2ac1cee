import { isUtf8 } from 'node:buffer';
import { contract, PUBLIC_METHODS } from '@switchyard/protocol';

/**
 * Makes the lines that are thrown at the gateway, and says for each what the protocol promises.
 *
 * @typedef {object} Frame
 * @property {Buffer} bytes one line, without its line feed
 * @property {'reply' | 'none' | 'close'} expects exactly one reply, no reply, or one reply and the end of the connection
 * @property {string | undefined} id JSON of the id that the reply must carry, when the line has one that can be read
 */

/**
 * Whatever starts a program, types, or ends something is left out: the yard must look the same afterwards. So is what has
 * the gateway push lines: they are counted as replies here.
 */
const CHANGES_THE_YARD =
  /^yard\.|subscribe|stream|create|split|open|spawn|send|type|shortcut|restore|reload|close|action|break|join|move|swap|drag|prompt|auth\./;
const METHODS = PUBLIC_METHODS.filter((name) => !CHANGES_THE_YARD.test(name) && contract[name].effect !== 'wait');

/** Characters of an id from which on it may be too deep; the odd values are shorter, or flat. */
const DEEP = 1000;

const ODD_VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  '',
  ' ',
  'x',
  '1',
  'true',
  'surface:1',
  'surface:-1',
  'tab:0',
  '00000000-0000-4000-8000-000000000000',
  '\u0000',
  '\ud800',
  '💥é漢',
  [],
  {},
  [[]],
  ['a', 1],
  { a: { b: {} } },
  '__proto__',
  'x'.repeat(3000),
  '../../etc/passwd',
  '$(id)',
  '%s%n',
];
const ODD_LINES = [
  '{',
  '}',
  '[]',
  '""',
  'null',
  '0',
  'ping',
  '{}',
  '{"id":1',
  '{"id":1,',
  '{"method":"system.ping"',
  '{"id":{},"id":[]}',
  '{"__proto__":{"method":"system.ping"},"id":2}',
  '{"id":1e999,"method":"system.ping"}',
  '\ufeff{"id":3}',
  "{'id':1}",
  '{"jsonrpc":"2.0","method":"system.ping"}',
  '{"jsonrpc":"2.0","id":[1],"method":"system.ping"}',
  '[{"jsonrpc":"2.0"}]',
  '{"id":4,"method":"system.ping","params":{"__proto__":1}}',
  '{"id":5,"method":"system.ping"}{"id":6}',
  '\u0000',
  '\t\u2028',
];

/** @param {ReturnType<import('./random.mjs').randomOf>} random */
export function makeFrame(random, id) {
  const dice = random.next();
  if (dice < 0.3) return judged(valid(random, id));
  if (dice < 0.75) return judged(mutated(random, valid(random, id)));
  if (dice < 0.85) return judged(Buffer.from(random.pick(ODD_LINES)));
  if (dice < 0.95) return judged(Buffer.from(text(random, random.below(200))));
  if (dice < 0.97) return judged(Buffer.from(nested(random)));
  if (dice < 0.99)
    return judged(
      Buffer.from(`{"id":"${id}","method":"system.ping","params":{"x":"${'y'.repeat(random.below(60_000))}"}}`),
    );
  return judged(random.bytes(random.below(100)));
}

/** @returns {Frame} what the protocol promises for a line, told from the line alone */
function judged(line) {
  // What a mutation made of one line must stay one line.
  const bytes = line.includes(0x0a) ? Buffer.from(line.map((byte) => (byte === 0x0a ? 0x20 : byte))) : line;
  if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d))
    return { bytes, expects: 'none', id: undefined };
  if (!isUtf8(bytes)) return { bytes, expects: 'close', id: undefined };
  const frame = parsed(bytes.toString('utf8').trim());
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    return { bytes, expects: 'reply', id: undefined };
  const isJsonRpc = frame['jsonrpc'] === '2.0';
  if (!Object.hasOwn(frame, 'id')) return { bytes, expects: isJsonRpc ? notified(frame) : 'reply', id: undefined };
  if (isJsonRpc && typeof frame['id'] === 'object') return { bytes, expects: 'reply', id: undefined };
  if (isJsonRpc && typeof frame['id'] === 'boolean') return { bytes, expects: 'reply', id: undefined };
  return { bytes, expects: 'reply', id: jsonOf(frame['id']) };
}

/** A JSON-RPC notification is not answered, unless it has no method and so is none. */
function notified(frame) {
  return typeof frame['method'] === 'string' && frame['method'].trim() !== '' ? 'none' : 'reply';
}

function valid(random, id) {
  const method = random.chance(0.3) ? 'system.ping' : random.pick(METHODS);
  const names = Object.keys(contract[method].params.properties);
  const params = {};
  for (const name of names) if (random.chance(0.3)) params[name] = random.pick(ODD_VALUES);
  const dialect = random.chance(0.1) ? { jsonrpc: '2.0' } : {};
  return Buffer.from(JSON.stringify({ ...dialect, id: random.chance(0.5) ? id : `${id}`, method, params }));
}

function mutated(random, line) {
  const bytes = Buffer.from(line);
  switch (random.below(6)) {
    case 0: // another byte
      for (let n = random.below(4); n >= 0; n--) bytes[random.below(bytes.length)] = 0x20 + random.below(0x5f);
      return bytes;
    case 1: // cut off
      return bytes.subarray(0, random.below(bytes.length));
    case 2: // something in the middle
      return splice(bytes, random.below(bytes.length), Buffer.from(text(random, 1 + random.below(20))));
    case 3: // a part twice
      return splice(bytes, random.below(bytes.length), bytes.subarray(random.below(bytes.length)));
    case 4: // another value
      return Buffer.from(
        line.toString().replace(/:("[^"]*"|\d+|\{\})/, () => `:${JSON.stringify(random.pick(ODD_VALUES))}`),
      );
    default: // a bit, which often is no UTF-8 any more
      if (random.chance(0.9)) return Buffer.concat([Buffer.from(random.pick([' ', '\t', '\r', '{'])), bytes]);
      bytes[random.below(bytes.length)] ^= 1 << random.below(8);
      return bytes;
  }
}

function splice(bytes, at, piece) {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

function text(random, length) {
  const alphabet = '{}[]":,\\ \t0123456789abcdefxyz-+.éß漢💥\u0000\u007f\u2028';
  const characters = [...alphabet];
  return Array.from({ length }, () => random.pick(characters)).join('');
}

function nested(random) {
  const depth = random.below(5000);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ]);
  const deep = `${open.repeat(depth)}1${random.chance(0.5) ? close.repeat(depth) : ''}`;
  return random.pick([`{"id":${deep},"method":"system.ping"}`, `{"method":"system.ping","params":{"x":${deep}}}`]);
}

/**
 * @returns undefined for an id nested so deeply that it depends on the process whether it can be written: it comes back
 *   or it does not
 */
export function jsonOf(id) {
  const json = attempt(() => JSON.stringify(id));
  return json !== undefined && json.length > DEEP && /[[{]{2}|:[[{]/.test(json.slice(0, DEEP)) ? undefined : json;
}

function parsed(json) {
  return attempt(() => JSON.parse(json));
}

function attempt(fn) {
  try {
    return fn();
  } catch {
    return undefined;
  }
}
