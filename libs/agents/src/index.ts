export { BUSY_MS, SampleCadence, SETTLE_MS } from './cadence.js';
export { type ForegroundProcess, type ScreenProgress, type ScreenSample, sameProcess } from './sample.js';
export type { AgentStatus, HookReport, Observation, ProgramReport, StateSource } from './tracker.js';
export {
  type Activity,
  type AgentState,
  type Evidence,
  type Question,
  type QuestionKind,
  stateOf,
  type Verdict,
} from './verdict.js';
