/** Reading the logs of a yard, without the rest of the supervisor: also where none runs. */
export type { LogEntry, LogLevel } from './domain/log-entry.js';
export { LogFiles, type LogPage, type LogPosition, type LogQuery } from './observe/log-files.js';
