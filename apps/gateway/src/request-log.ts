import { randomUUID } from 'node:crypto';
import { type ErrorBody, methodNamed, type ReplyEnvelope, type RequestEnvelope } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';

/** A client may choose any id; more of it than this says nothing more. */
const MAX_ID_CHARS = 64;
const MAX_METHOD_CHARS = 64;

/** One line for each request: changes at level info, everything else at debug. Parameters and results never. */
export class RequestLog {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param started of the request, on the clock of `performance.now()` */
  write(request: RequestEnvelope, caller: string, reply: ReplyEnvelope, started: number): void {
    const level = methodNamed(request.method)?.effect === 'mutation' ? 'info' : 'debug';
    if (!this.#log.isLevelEnabled(level)) return;
    const facts = {
      id: request.idJson.slice(0, MAX_ID_CHARS),
      method: request.method.slice(0, MAX_METHOD_CHARS),
      caller,
      outcome: reply.ok ? 'ok' : reply.error.code,
      ms: Math.round((performance.now() - started) * 100) / 100,
    };
    this.#log[level](facts, 'request');
  }

  /** Logs a fault of ours. @returns what the client may know of it */
  fault(method: string, error: unknown): ErrorBody {
    const logId = randomUUID();
    this.#log.error({ err: error, method, log_id: logId }, 'a request failed unexpectedly');
    return { code: 'internal_error', message: `Internal error; the log says more under ${logId}` };
  }
}
