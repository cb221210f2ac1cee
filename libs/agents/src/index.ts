export { BUSY_MS, SampleCadence, SETTLE_MS } from './cadence.js';
export { displayText, plainText } from './display-text.js';
export type { HookReport } from './hook-claim.js';
export { type AskDetectors, Judging } from './judging.js';
export type { UnfinishedNotification } from './kitty-notification.js';
export { type ProgramFacts, processNames, runsScript } from './process-name.js';
export type { ProgressState, PromptMark, Said, SessionSaid } from './program-says.js';
export { ProgramSignals, SIGNAL_OSCS, type SignalSaid } from './program-signals.js';
export { ProgramVoice, type SaidAt, type SavedVoice, VOICE_OSCS, type VoiceOsc } from './program-voice.js';
export { type ForegroundProcess, type ScreenProgress, type ScreenSample, sameProcess } from './sample.js';
export { type StatusRecord, StatusRecords } from './status-record.js';
export {
  BLOCKED_KINDS,
  type BlockedKind,
  encodeClear,
  encodeStatus,
  parseStatus,
  STATUS_OSC,
  STATUS_QUERY,
  STATUS_STATES,
  type StatusDraft,
  type StatusReport,
  type StatusState,
} from './status-report.js';
export {
  type AgentStatus,
  AgentTracker,
  NO_STATUS,
  type Observation,
  type ProgramReport,
  type SavedTracker,
  type StateSource,
} from './tracker.js';
export {
  type Activity,
  type AgentState,
  type Evidence,
  type Question,
  type QuestionKind,
  stateOf,
  type Verdict,
} from './verdict.js';
