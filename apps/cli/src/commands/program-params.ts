import { resolve } from 'node:path';
import { flag, list, type Options, text } from '../command.js';
import { UsageError } from '../context.js';

/** What `new`, `split` and `run` say about the program to start. */
export interface ProgramParams {
  /** Absent: the host's own default, since a folder of this machine need not be on another. */
  cwd?: string;
  host?: string;
  argv?: string[];
  env?: Record<string, string>;
  remain_on_exit?: boolean;
}

/**
 * @param command program and arguments; empty for the user's shell
 * @throws UsageError for an --env without a name
 */
export function programParams(command: readonly string[], options: Options): ProgramParams {
  const env = environment(list(options, 'env'));
  const host = text(options, 'host');
  const cwd = text(options, 'cwd');
  return {
    ...(host === undefined ? { cwd: resolve(cwd ?? '.') } : { host, ...(cwd !== undefined && { cwd }) }),
    ...(command.length > 0 && { argv: [...command] }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(flag(options, 'keep') && { remain_on_exit: true }),
  };
}

function environment(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--env ${pair}: it must be name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
