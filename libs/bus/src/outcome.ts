import { randomBytes } from 'node:crypto';
import { SwitchyardError } from '@switchyard/protocol';
import { storageFault, storageMessage } from '@switchyard/store/fault';
import { encode, encodeError } from './codec.js';
import type { Job } from './job.js';
import { MESSAGE_LIMIT_BYTES } from './parts.js';
import type { KeptReply } from './recent-calls.js';
import type { Log } from './types.js';

/** Four bytes: enough to find one line among those of a day. */
const LOG_ID_BYTES = 4;

/** A handler's result as a reply; one that cannot be sent becomes the error that says so. */
export function replyOf(method: string, result: unknown): KeptReply {
  let bytes: Buffer;
  try {
    bytes = encode(result);
  } catch (cause) {
    const text = `The result of ${method} cannot be written as JSON.`;
    return errorReply(new SwitchyardError('encode_error', text, undefined, { cause }));
  }
  if (bytes.length <= MESSAGE_LIMIT_BYTES) return { error: undefined, bytes };
  const facts = { bytes: bytes.length, limit: MESSAGE_LIMIT_BYTES };
  return errorReply(new SwitchyardError('response_too_large', `The result of ${method} is too large.`, facts));
}

export function errorReply(error: SwitchyardError): KeptReply {
  return { error: error.code, bytes: encodeError(error) };
}

/** What a handler threw, in the words of the contract. Anything unexpected is logged under an id that the caller gets. */
export function errorOf(job: Job, thrown: unknown, log: Log): SwitchyardError {
  if (thrown instanceof SwitchyardError) return thrown;
  if (job.abandoned) return new SwitchyardError('cancelled', `${job.method} was withdrawn.`);
  const fault = storageFault(thrown);
  if (fault !== undefined) {
    const { path } = thrown as NodeJS.ErrnoException;
    log.warn({ fault, method: job.method, call: job.callId, path }, 'the disk did not take a change');
    return new SwitchyardError(fault, storageMessage(fault, path), path === undefined ? undefined : { path });
  }
  const logId = randomBytes(LOG_ID_BYTES).toString('hex');
  log.error({ err: thrown, log_id: logId, method: job.method, call: job.callId }, 'a handler failed');
  return new SwitchyardError('internal_error', `Internal error; log id ${logId}.`, { log_id: logId });
}
