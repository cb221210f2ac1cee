import { type Options, text } from '../command.js';
import type { Context } from '../context.js';

/** Where a new terminal goes when the user names no place: beside the terminal the command was typed in. */
export function placeOf(context: Context, options: Options): { workspace_id?: string; surface_id?: string } {
  const workspace = text(options, 'workspace');
  if (workspace !== undefined) return { workspace_id: workspace };
  const caller = context.callerSurface;
  return caller === undefined ? {} : { surface_id: caller };
}

/** The terminal that is meant when none is named: the one the command was typed in, else (undefined) the focused one. */
export function surfaceOf(context: Context, named: string | undefined): { surface_id?: string } {
  const surface = named ?? context.callerSurface;
  return surface === undefined ? {} : { surface_id: surface };
}
