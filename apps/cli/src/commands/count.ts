import { type Options, text } from '../command.js';
import { UsageError } from '../context.js';

/** A whole number that an option gives. @throws UsageError when it is none */
export function count(options: Options, name: string): number | undefined {
  const given = text(options, name);
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError(`--${name} ${given}: it must be a whole number above 0`);
  return Number(given);
}
