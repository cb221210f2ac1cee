import { askSupervisor } from '../ask-supervisor.js';
import { flag, type Run } from '../command.js';
import { UsageError } from '../context.js';

/** A process may take its time to finish what is in flight, and again to start. */
const RESTART_MS = 60_000;

export const restart: Run = async (context, [service = ''], options) => {
  if (service === 'keeper' && !flag(options, 'force')) {
    throw new UsageError('restarting the keeper ends every terminal: add --force if that is what you want');
  }
  const client = await askSupervisor(context);
  const timeoutMs = context.globals.timeout ?? RESTART_MS;
  const restarted = await client.call('yard.restart', { service }, { timeoutMs });
  context.out.result(restarted, ({ processes }) => processes.map(({ name, pid }) => `${name} is ready (pid ${pid})`));
};
