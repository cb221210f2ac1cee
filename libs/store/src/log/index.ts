export { forgetLog, listLogs } from './folder.js';
export { LogPool, type PooledLog } from './log-pool.js';
export { LogReader } from './log-reader.js';
export { LogWriter, type LogWriterOptions } from './log-writer.js';
export type { ExitRecord, JournalEntry, LogGap, LogMeta, LogSlice } from './types.js';
