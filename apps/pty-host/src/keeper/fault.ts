import type { ErrorCode } from '@switchyard/protocol';

/** An expected failure, answered with its code. (The contract package is not loaded here: the keeper stays small.) */
export class KeeperFault extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = 'KeeperFault';
    this.code = code;
    this.data = data;
  }
}

/** The `code` of a system error (`EAGAIN`, `ENOENT` …), if it has one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
