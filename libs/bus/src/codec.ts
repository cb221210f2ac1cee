import { isErrorCode, SwitchyardError } from '@switchyard/protocol';

/** An error as it travels. */
interface WireError {
  readonly code: string;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

export function encode(value: unknown): Buffer {
  // A handler without a result answers null: JSON has no undefined.
  return Buffer.from(JSON.stringify(value ?? null));
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
