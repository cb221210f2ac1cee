import type { Log } from '@switchyard/bus';
import type { YardPaths } from '@switchyard/config';
import { replaceKeeper } from './adapters/keeper.js';
import { mainOf } from './adapters/programs.js';
import type { Installation } from './domain/installation.js';
import type { BrokerKind } from './domain/process-plan.js';
import { replaceOrder } from './domain/process-plan.js';
import type { ManagedProcess } from './managed-process.js';
import type { ProcessSet } from './process-set.js';

/** Until a replaced process is called broken. */
const READY_MS = 30_000;

export interface ReplaceOptions {
  readonly paths: YardPaths;
  readonly log: Log;
  readonly bus: BrokerKind;
  readonly here: Installation;
  /** Told the name of each before it is replaced. */
  readonly progress: (step: string) => void;
}

/** One process after the other, each ready before the next, so that requests only ever wait for one. */
export async function replaceProcesses(processes: ProcessSet, options: ReplaceOptions): Promise<void> {
  const { here, bus, progress, log } = options;
  const isOurs = (each: ManagedProcess) => each.root === here.folder && each.version === here.version;
  for (const process of replaceOrder(processes.all)) {
    const { name, service } = process.spec;
    // A nats-server is of no installation of ours.
    if (isOurs(process) || (service === 'broker' && bus !== 'embedded')) continue;
    progress(name);
    const started = performance.now();
    await replaceOne(process, options);
    log.info({ process: name, ms: Math.round(performance.now() - started) }, 'replaced');
  }
}

async function replaceOne(process: ManagedProcess, { paths, here }: ReplaceOptions): Promise<void> {
  if (process.spec.service === 'keeper') {
    await replaceKeeper(paths.keeperSocket, mainOf('keeper'), here);
    process.replacedInPlace(here);
    return;
  }
  if (!(await process.restart(READY_MS))) throw new Error(`${process.spec.name} is not ready after ${READY_MS} ms`);
}
