export { ChildReaper } from './child-reaper.js';
export {
  commitHandoff,
  type Handed,
  handOver,
  type NodeProgram,
  takeHanded,
  thisProgram,
} from './handoff.js';
export { type EndOfChild, reap, setCloseOnExec, systemCalls } from './system-calls.js';
