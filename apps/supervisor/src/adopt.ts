import type { Log } from '@switchyard/bus';
import type { YardPaths } from '@switchyard/config';
import { endProcess } from './adapters/end-process.js';
import { readProcessTable } from './adapters/process-file.js';
import { isRunning } from './adapters/process-info.js';
import type { BrokerChoice } from './domain/choose-broker.js';
import type { ProcessRecord } from './managed-process.js';
import type { ProcessSet } from './process-set.js';

/** Services finish what is in flight (5 s) before they end. */
const OBSOLETE_GRACE_MS = 8_000;

/** What an earlier supervisor left running. */
export interface LeftRunning {
  readonly records: readonly ProcessRecord[];
  /** Which broker they were started with, and know. */
  readonly broker: BrokerChoice;
}

/** @returns undefined when nothing runs */
export function leftRunning(paths: YardPaths): LeftRunning | undefined {
  const table = readProcessTable(paths.processFile);
  const records = table?.processes.filter(({ pid, start_time }) => isRunning(pid, start_time)) ?? [];
  return table === undefined || records.length === 0 ? undefined : { records, broker: table.broker };
}

/**
 * Takes over what fits the present settings and installation, and ends the rest in order (a detector too many, a pty-host of
 * another split, a service that speaks another protocol on the bus).
 */
export async function adoptLeft(processes: ProcessSet, left: LeftRunning, log: Log): Promise<void> {
  const adopted = processes.adopt(left.records);
  const obsolete = left.records.filter(({ name }) => !adopted.includes(name));
  log.info({ adopted, ended: obsolete.map(({ name }) => name) }, 'took over running processes');
  await Promise.all(obsolete.map((record) => endProcess(record, OBSOLETE_GRACE_MS)));
}
