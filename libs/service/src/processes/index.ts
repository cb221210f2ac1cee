export { type CpuUse, type ProcessUse, processesOf, usedBetween } from '../domain/process-use.js';
export { bytesMoved, descriptorLimit, isSuspended, openDescriptors, pseudoTerminals } from './process-facts.js';
export { type ProcessReading, type RunProgram, readProcesses } from './process-table.js';
