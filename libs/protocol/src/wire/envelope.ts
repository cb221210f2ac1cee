import type { ErrorCode, SwitchyardError } from '../errors.js';

/**
 * The neutral form of what travels on a connection, whatever the dialect. Ids are kept as the JSON text that the
 * client sent, so that every id comes back exactly, also a number that JavaScript cannot hold.
 */
export interface RequestEnvelope {
  readonly idJson: string;
  /** false for a JSON-RPC notification: whatever happens, nothing is answered. */
  readonly expectsReply: boolean;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: Record<string, unknown> | undefined;
}

export type ReplyEnvelope =
  | { readonly idJson: string; readonly ok: true; readonly result: unknown }
  | {
      /** undefined: no id could be read. */
      readonly idJson: string | undefined;
      readonly ok: false;
      readonly error: ErrorBody;
    };

/** Something pushed without being asked for. */
export interface EventEnvelope {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export function okReply(request: RequestEnvelope, result: unknown): ReplyEnvelope {
  return { idJson: request.idJson, ok: true, result };
}

/** @param idJson undefined when no id could be read */
export function errorReply(idJson: string | undefined, error: SwitchyardError | ErrorBody): ReplyEnvelope {
  const { code, message, data } = error;
  return { idJson, ok: false, error: data === undefined ? { code, message } : { code, message, data } };
}
