import { isErrorCode, SwitchyardError } from '@switchyard/protocol';

/** An error as it travels. */
interface WireError {
  readonly code: string;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

const COMMA = Buffer.from(',');

export function encode(value: unknown): Buffer {
  // A handler without a result answers null: JSON has no undefined.
  return Buffer.from(JSON.stringify(value ?? null));
}

const NO_MEMBERS = '{}'.length;

/** @returns one JSON object with the members of both; `bytes` is one as {@link encode} writes it */
export function withFacts(facts: object, bytes: Uint8Array): Buffer {
  const first = encode(facts);
  if (first.length === NO_MEMBERS) return Buffer.from(bytes);
  if (bytes.length === NO_MEMBERS) return first;
  return Buffer.concat([first.subarray(0, -1), COMMA, bytes.subarray(1)]);
}

/** @throws SyntaxError for bytes that are not JSON */
export function decode(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

export function encodeError(error: SwitchyardError): Buffer {
  const { code, message, data } = error;
  return encode(data === undefined ? { code, message } : { code, message, data });
}

export function decodeError(bytes: Uint8Array): SwitchyardError {
  const { code, message, data } = decode(bytes) as WireError;
  // A newer service may know codes that this process does not.
  return isErrorCode(code)
    ? new SwitchyardError(code, message, data)
    : new SwitchyardError('internal_error', `${code}: ${message}`, data);
}
