import { setTimeout as delay } from 'node:timers/promises';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { isRunning, leftoversOf, leftRunning, lockFileOf, openYard, yardHolder } from '@switchyard/supervisor';
import { askSupervisor } from '../ask-supervisor.js';
import type { Run } from '../command.js';
import type { Context } from '../context.js';
import { EXIT } from '../domain/exit-codes.js';

/** The longest a yard may take: services 8 s, broker 8 s, keeper 20 s, each then killed. */
const STOP_MS = 45_000;
const LOOK_MS = 50;

export const down: Run = async (context) => {
  const before = leftRunning(context.paths)?.records ?? [];
  const orphaned = before.length > 0 && yardHolder(lockFileOf(context.paths)) === undefined;
  if (orphaned) await stopLeft(context);
  else await untilGone(context, await askToStop(context));
  const left = [
    ...before
      .filter((record) => isRunning(record.pid, record.start_time))
      .map(({ pid, name }) => ({ pid, command: name })),
    ...leftoversOf(context.paths.gatewaySocket),
  ];
  context.out.result({ stopped: true, left }, () => [
    'The yard is down.',
    ...left.map(({ pid, command }) => `still running: ${pid} ${command}`),
  ]);
  return left.length === 0 ? EXIT.ok : EXIT.refused;
};

/** @returns pid of the supervisor, which is stopping the yard now */
async function askToStop(context: Context): Promise<number> {
  const client = await askSupervisor(context);
  const { supervisor } = await client.call('yard.status', {}, { timeoutMs: context.timeoutMs });
  await client.call('yard.stop', {}, { timeoutMs: context.timeoutMs });
  return supervisor.pid;
}

/** A supervisor that was killed left processes behind: takes them over, and down. */
async function stopLeft({ globals, env, out }: Context): Promise<void> {
  out.note('No supervisor is running, but processes of its yard are: stopping them.');
  const { supervisor } = openYard({ yard: globals.yard, socket: globals.socket }, env);
  await supervisor.takeOver();
  await supervisor.stop();
}

async function untilGone({ paths, globals }: Context, pid: number): Promise<void> {
  const limit = globals.timeout ?? STOP_MS;
  const end = performance.now() + limit;
  while (yardHolder(lockFileOf(paths)) === pid) {
    if (performance.now() > end)
      throw new SwitchyardError('timeout', `The yard is not down after ${limit} ms; see: sy status`);
    await delay(LOOK_MS);
  }
}
