import { SwitchyardError } from '@switchyard/protocol/errors';
import { askSupervisor } from '../ask-supervisor.js';
import type { Run } from '../command.js';
import { statusLines } from '../status-lines.js';
import { ownVersion } from '../version.js';

export const status: Run = async (context) => {
  const client = await askSupervisor(context);
  const state = await client.call('yard.status', {}, { timeoutMs: context.timeoutMs }).catch(explain);
  context.out.result(state, (given) => statusLines(context.out, given));
  const { version } = state.supervisor;
  if (version !== ownVersion()) {
    context.out.note(
      `The yard runs version ${version}, this is ${ownVersion()}: all of it can be used. To change, down and up.`,
    );
  }
  return undefined;
};

/** The gateway answered, but nobody behind it: the supervisor was killed. */
function explain(error: unknown): never {
  if (!(error instanceof SwitchyardError) || error.code !== 'service_unavailable') throw error;
  const message = 'The yard runs without its supervisor. Nothing is lost; take it over with: switchyard up';
  throw new SwitchyardError('service_unavailable', message, undefined, { cause: error });
}
