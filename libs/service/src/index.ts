export { type BusAddress, readBusFile } from './bus-file.js';
export { EventWriter, type ToldEvent } from './event-writer.js';
export { createLog } from './log.js';
export { runProcess } from './run-process.js';
export { runService } from './run-service.js';
export type { App, Log, ProcessKit, ServiceKit } from './types.js';
