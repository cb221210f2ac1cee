import { askSupervisor, explainAbsence } from '../ask-supervisor.js';
import type { Run } from '../command.js';
import { statusLines } from '../status-lines.js';
import { ownVersion } from '../version.js';

export const status: Run = async (context) => {
  const client = await askSupervisor(context);
  const state = await client.call('yard.status', {}, { timeoutMs: context.timeoutMs }).catch(explainAbsence);
  context.out.result(state, (given) => statusLines(context.out, given));
  const { version } = state.supervisor;
  if (version !== ownVersion()) {
    context.out.note(
      `The yard runs version ${version}, this is ${ownVersion()}: all of it can be used. To change, without loss: sy upgrade`,
    );
  }
  return undefined;
};
