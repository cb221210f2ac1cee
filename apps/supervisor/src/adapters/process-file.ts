import type { BrokerChoice } from '../domain/choose-broker.js';
import type { ProcessRecord } from '../managed-process.js';
import { readJson, writePrivateJson } from './json-file.js';

const FORMAT = 1;

/** What a supervisor leaves behind, so that the next one can take over what runs. */
export interface ProcessTable {
  readonly broker: BrokerChoice;
  readonly processes: readonly ProcessRecord[];
}

export function writeProcessTable(file: string, table: ProcessTable): void {
  writePrivateJson(file, { format: FORMAT, ...table });
}

/** @returns undefined when there is none, or one of an unknown format: then there is nothing to take over */
export function readProcessTable(file: string): ProcessTable | undefined {
  const content = readJson(file) as ({ format?: number } & ProcessTable) | undefined;
  return content?.format === FORMAT ? content : undefined;
}
