import { resolve } from 'node:path';
import { flag, type Options, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { bringUp } from './up.js';

/** Makes this machine part of a yard elsewhere, until it is stopped. */
export async function join(context: Context, options: Options): Promise<number> {
  const { yard } = context.globals;
  const creds = text(options, 'creds');
  if (creds === undefined) throw new UsageError('say where the credentials of this machine are: --creds FILE');
  const wanted = { yard, join: { creds: resolve(creds), url: text(options, 'join') } };
  return bringUp(context, wanted, flag(options, 'detach'));
}
