export { capabilities } from './capabilities.js';
export { coerceParams } from './coerce.js';
export {
  type Contract,
  contract,
  type Handler,
  type Handlers,
  type HandlersIn,
  isMethodName,
  type MethodName,
  type MethodsIn,
  type MethodsOf,
  methodNamed,
  type Params,
  PUBLIC_METHODS,
  type Result,
} from './contract/index.js';
export { ALARMS, LOG_LEVELS } from './contract/observe.js';
export { deadlineMsOf, OWNER_MARGIN_MS } from './deadline.js';
export {
  type AnyMethod,
  type Effect,
  type MethodSpec,
  type Scope,
  SERVICES,
  type ServiceName,
  type Tier,
} from './define.js';
export { ERRORS, type ErrorCode, fail, isErrorCode, SwitchyardError } from './errors.js';
export { decodeCursor, encodeCursor, type JournalPosition } from './events/cursor.js';
export { type EventFilter, passes } from './events/filter.js';
export { type BusEvent, type BusEventName, busEvents, HOST_EVENTS } from './events/index.js';
export {
  type EventPlace,
  isJournalKind,
  JOURNAL_KINDS,
  type JournalData,
  type JournalEvent,
  type JournalKind,
  type JournalNote,
  journalSchema,
} from './events/journal.js';
export { EVENT_KINDS, type EventKind, expandKinds } from './events/kinds.js';
export { isLiveKind, LIVE_KINDS, type LiveData, type LiveKind } from './events/live.js';
export { type TargetKind, type TargetParam, type Targets, targetsOf } from './targets.js';
export { checkEventData, checkResult, validateParams } from './validate.js';
export { CONTRACT_VERSION } from './version.js';
export { decodeFrame, encodeEvent, encodeReply, tooLargeReply } from './wire/codec.js';
export { type Decoded, DIALECTS, type Dialect, jsonRpc, v2 } from './wire/dialects/index.js';
export {
  type ErrorBody,
  type EventEnvelope,
  errorReply,
  okReply,
  type ReplyEnvelope,
  type RequestEnvelope,
} from './wire/envelope.js';
export { type Frame, FrameSplitter } from './wire/frame-splitter.js';
export { MAX_REPLY_BYTES, MAX_REQUEST_BYTES } from './wire/frame-writer.js';
