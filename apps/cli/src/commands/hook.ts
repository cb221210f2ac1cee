import type { Run } from '../command.js';
import { runHook } from '../hook/run-hook.js';

/** For whoever asks for help first; agents take the short way in main.ts. */
export const hook: Run = async (context, args) => {
  await runHook(args, context.env);
  return undefined;
};
