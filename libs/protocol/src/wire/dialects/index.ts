import type { Dialect } from './dialect.js';
import { jsonRpc } from './json-rpc.js';
import { v2 } from './v2.js';

/** Chosen for each request by the request itself. */
export const DIALECTS = [v2, jsonRpc] as const;

export function dialectOf(frame: Record<string, unknown>): Dialect {
  return frame['jsonrpc'] === '2.0' ? jsonRpc : v2;
}

export type { Decoded, Dialect } from './dialect.js';
export { jsonRpc, jsonRpcNumber } from './json-rpc.js';
export { v2 } from './v2.js';
