import { askSupervisor } from '../ask-supervisor.js';
import type { Run } from '../command.js';
import { statusLines } from '../status-lines.js';

export const status: Run = async (context) => {
  const client = await askSupervisor(context);
  const state = await client.call('yard.status', {}, { timeoutMs: context.timeoutMs });
  context.out.result(state, (given) => statusLines(context.out, given));
};
