import { flag, type Run, text } from '../command.js';
import { WAIT_MARGIN_MS } from '../context.js';
import { programParams } from './program-params.js';

/** Agents load, look for updates and sign in before they can be talked to. */
const START_MS = 30_000;

export const startAgent: Run = async (context, [kind = '', ...args], options) => {
  const { argv: _, ...program } = programParams([], options);
  const timeout_ms = context.globals.timeout ?? START_MS;
  const command = text(options, 'command');
  const name = text(options, 'name');
  const workspace = text(options, 'workspace');
  const params = {
    kind,
    ...(args.length > 0 && { args: [...args] }),
    ...(command !== undefined && { command: [command] }),
    ...(name !== undefined && { name }),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(flag(options, 'newWorkspace') && { new_workspace: true }),
    ...program,
    timeout_ms,
  };
  const started = await context.call('agent.start', params, timeout_ms + WAIT_MARGIN_MS);
  context.out.result(started, ({ surface_ref, state }) => `${surface_ref} ${state ?? 'unknown'}`);
};
