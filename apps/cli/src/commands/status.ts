import { SwitchyardError } from '@switchyard/protocol/errors';
import { askSupervisor } from '../ask-supervisor.js';
import type { Run } from '../command.js';
import { statusLines } from '../status-lines.js';

export const status: Run = async (context) => {
  const client = await askSupervisor(context);
  const state = await client.call('yard.status', {}, { timeoutMs: context.timeoutMs }).catch(explain);
  context.out.result(state, (given) => statusLines(context.out, given));
  return undefined;
};

/** The gateway answered, but nobody behind it: the supervisor was killed. */
function explain(error: unknown): never {
  if (!(error instanceof SwitchyardError) || error.code !== 'service_unavailable') throw error;
  const message = 'The yard runs without its supervisor. Nothing is lost; take it over with: switchyard up';
  throw new SwitchyardError('service_unavailable', message, undefined, { cause: error });
}
