import type { Log } from '@switchyard/bus';
import { fail, type Handlers } from '@switchyard/protocol';
import type { ManagedProcess } from '../managed-process.js';
import type { ProcessSet } from '../process-set.js';
import { SuccessorError } from '../successor.js';
import { processStatus, type YardStatus } from '../yard-status.js';
import type { FleetHandlers } from './fleet.js';
import type { ObserveHandlers } from './observe.js';

/** Until a restarted process is called late; it goes on starting. */
const RESTART_READY_MS = 30_000;

export interface YardHandlerDeps {
  readonly processes: ProcessSet;
  readonly status: () => YardStatus;
  readonly stop: () => Promise<void>;
  readonly log: Log;
}

/** All methods of the supervisor, the same on the bus and on its own socket. */
export type SupervisorHandlers = Handlers<'supervisor', unknown>;
/** Those that are about the processes. */
export type YardHandlers = Omit<
  SupervisorHandlers,
  keyof ObserveHandlers | keyof FleetHandlers | 'server.live_handoff'
>;

export function yardHandlers({ processes, status, stop, log }: YardHandlerDeps): YardHandlers {
  return {
    'yard.status': () => status(),

    'yard.stop': () => {
      // After this turn, so that the answer is on its way before the process that carries it is stopped.
      setImmediate(() => {
        stop().catch((error: unknown) => log.error({ err: error }, 'stopping failed'));
      });
      return { stopping: true };
    },

    'yard.restart': async ({ service }) => {
      const chosen = processes.matching(service);
      if (chosen.length === 0) {
        fail('not_found', `There is no process or kind ${JSON.stringify(service)}.`, {
          known: processes.all.map(({ spec }) => spec.name),
        });
      }
      // One after the other: the others of its kind answer meanwhile.
      for (const process of chosen) {
        await restarted(process);
      }
      return { processes: chosen.map(processStatus) };
    },

    'yard.hello': async ({ name, pid, state, version }) => {
      if (state === 'standby') {
        const isItsTurn = (await processes.byName(name)?.successorStands(pid)) ?? false;
        return isItsTurn ? { pid: process.pid } : fail('invalid_state', 'Nothing is to be replaced by this process.');
      }
      const known = processes.byName(name)?.hello(pid, state, version) ?? false;
      // The last words of a process may be read after the news of its end.
      const leaving = state === 'draining' || state === 'stopped';
      if (!known && !leaving)
        log.warn({ process: name, pid, state }, 'a process says hello that this supervisor did not start');
      return { pid: process.pid };
    },
  };
}

/** @throws SwitchyardError */
async function restarted(process: ManagedProcess): Promise<void> {
  const ready = await process.restart(RESTART_READY_MS).catch((error: unknown) => {
    if (error instanceof SuccessorError) return fail('invalid_state', error.message);
    throw error;
  });
  if (!ready) fail('timeout', `${process.spec.name} is not ready after ${RESTART_READY_MS} ms; see its log.`);
}
