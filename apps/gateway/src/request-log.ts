import { randomUUID } from 'node:crypto';
import { type ErrorBody, methodNamed, type ReplyEnvelope, type RequestEnvelope } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { type AuditLog, isAudited, targetOf } from '@switchyard/service/audit';
import { identityOnWire } from './access/on-wire.js';
import type { Session } from './access/session.js';

/** A client may choose any id; more of it than this says nothing more. */
const MAX_ID_CHARS = 64;
const MAX_METHOD_CHARS = 64;

/** One line for each request, changes at level info, the rest at debug; and the audit trail. Never texts or secrets. */
export class RequestLog {
  readonly #log: Log;
  readonly #audit: Pick<AuditLog, 'append'>;

  constructor(log: Log, audit: Pick<AuditLog, 'append'>) {
    this.#log = log;
    this.#audit = audit;
  }

  /** @param started of the request, on the clock of `performance.now()` */
  write(request: RequestEnvelope, session: Session, reply: ReplyEnvelope, started: number): void {
    const spec = methodNamed(request.method);
    const outcome = reply.ok ? 'ok' : reply.error.code;
    const ms = Math.round((performance.now() - started) * 100) / 100;
    const method = request.method.slice(0, MAX_METHOD_CHARS);
    if (isAudited(request.method, spec, outcome)) {
      const target = spec === undefined ? {} : targetOf(spec, request.params, reply.ok ? reply.result : undefined);
      this.#audit.append({
        at: new Date().toISOString(),
        method,
        caller: identityOnWire(session),
        target,
        outcome,
        ms,
      });
    }
    const level = spec?.effect === 'mutation' ? 'info' : 'debug';
    if (!this.#log.isLevelEnabled(level)) return;
    const id = request.idJson.slice(0, MAX_ID_CHARS);
    this.#log[level]({ id, method, caller: session.identity.name, outcome, ms }, 'request');
  }

  /** Logs a fault of ours. @returns what the client may know of it */
  fault(method: string, error: unknown): ErrorBody {
    const logId = randomUUID();
    this.#log.error({ err: error, method, log_id: logId }, 'a request failed unexpectedly');
    return { code: 'internal_error', message: `Internal error; the log says more under ${logId}` };
  }
}
