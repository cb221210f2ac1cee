export { findNatsServer } from './adapters/broker.js';
export { logFileOf } from './adapters/log-file.js';
export { readProcessTable } from './adapters/process-file.js';
export { isRunning, startTimeOf } from './adapters/process-info.js';
export { YardRunningError, yardHolder } from './adapters/yard-lock.js';
export type { DetachedReport } from './detached.js';
export { build, lockFileOf, type Supervisor, type SupervisorConfig, type SupervisorDeps } from './supervisor.js';
export { openYard, pathsOf, type Yard, type YardOptions } from './yard.js';
