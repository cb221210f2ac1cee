import type { Socket } from 'node:net';
import type { Log } from '@switchyard/bus';
import { methodNamed, type ReplyEnvelope, type RequestEnvelope } from '@switchyard/protocol';
import { AuditLog, isAudited, peerCredentials, surfaceOfProcess, targetOf } from '@switchyard/service/audit';

/** Who asks: a connection to the control socket. */
export interface ControlCaller {
  readonly socket: Socket;
  readonly name: string;
}

/** The supervisor's part of the audit trail: what was changed at its own socket, past the gateway. */
export class ControlTrail {
  readonly #audit: AuditLog;
  readonly #log: Log;

  constructor(folder: string, log: Log) {
    this.#audit = new AuditLog({ folder, writer: 'supervisor' });
    this.#log = log;
  }

  /**
   * To be called before the reply leaves. A yard whose disk is full must still be stopped: what cannot be written down
   * waits, or is said in the log, and does not fail the call.
   */
  write({ socket, name }: ControlCaller, request: RequestEnvelope, reply: ReplyEnvelope, ms: number): void {
    const spec = methodNamed(request.method);
    const outcome = reply.ok ? 'ok' : reply.error.code;
    // The lifelines of our processes say hello all the time.
    if (spec?.visibility !== 'public' || !isAudited(request.method, spec, outcome)) return;
    const peer = peerCredentials(socket);
    try {
      this.#audit.append({
        at: new Date().toISOString(),
        method: request.method,
        caller: {
          name,
          socket: 'supervisor',
          uid: peer?.uid ?? null,
          pid: peer?.pid ?? null,
          surface_id: peer === undefined ? null : surfaceOfProcess(peer.pid),
          token: null,
        },
        target: targetOf(spec, request.params, reply.ok ? reply.result : undefined),
        outcome,
        ms: Math.round(ms * 100) / 100,
      });
    } catch (error) {
      this.#log.error({ err: error, method: request.method, outcome }, 'a change could not be written down');
    }
  }

  close(): void {
    const { waiting: entries } = this.#audit;
    if (entries > 0) this.#log.error({ entries }, 'changes could not be written down: the disk takes nothing');
    this.#audit.close();
  }
}
