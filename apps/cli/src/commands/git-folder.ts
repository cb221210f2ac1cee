import { type Options, text } from '../command.js';

export interface Where {
  readonly directory?: string;
  readonly surface_id?: string;
}

/** Which worktree is meant: that of the terminal that is named, else the one you are in, as with git. */
export function folderOf(options: Options): Where {
  const surface = text(options, 'surface');
  return surface === undefined ? { directory: process.cwd() } : { surface_id: surface };
}
