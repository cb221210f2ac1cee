import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Bus, HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn, type Params } from '@switchyard/protocol';
import { readChanges } from '../diff/read-changes.js';
import { readStatus } from '../diff/read-status.js';
import { cursorOf, readCursor } from '../domain/diff/cursor.js';

/** A page is what a reader looks through in one go; the bytes are what one answer may weigh. */
const PAGE = { files: 200, bytes: 2 * 1024 * 1024, untracked: 200 };
const USUAL_BASES = ['origin/main', 'main', 'master'];

type Where = Pick<Params<'workspace.git.diff'>, 'directory' | 'window_id' | 'workspace_id' | 'surface_id'>;

/** `workspace.git.*`: what git says of the worktree that a workspace is in. Nothing is kept. */
export function workspaceGitHandlers(bus: Bus): HandlersIn<'workspace', 'git-service', HandlerContext> {
  return {
    'workspace.git.status': async ({ untracked = true, ...where }, ctx) =>
      readStatus(await directoryOf(bus, where, ctx), untracked, ctx.signal),

    'workspace.git.diff': async ({ mode = 'uncommitted', base_branch, limit, cursor, ...params }, ctx) => {
      const { untracked, paths, context_lines, ...where } = params;
      const question = {
        folder: await directoryOf(bus, where, ctx),
        mode,
        bases: base_branch === undefined ? USUAL_BASES : [base_branch],
        ...(untracked !== undefined && { untracked }),
        ...(paths !== undefined && { paths }),
        ...(context_lines !== undefined && { contextLines: context_lines }),
      };
      const limits = { ...PAGE, ...(limit !== undefined && { files: limit }) };
      const from = cursor === undefined ? undefined : readCursor(cursor);
      const page = await readChanges(question, limits, ctx.signal, from);
      return {
        root: page.top,
        mode,
        base_branch: page.base?.name ?? null,
        base_commit: page.base?.commit ?? null,
        head: page.head,
        snapshot: page.snapshot,
        files: page.files,
        untracked_omitted: page.untrackedOmitted,
        next_cursor: page.next === null ? null : cursorOf(page.next),
      };
    },
  };
}

async function directoryOf(bus: Bus, { directory, ...target }: Where, ctx: HandlerContext): Promise<string> {
  if (directory !== undefined) return fromHome(directory);
  const options = {
    signal: ctx.signal,
    caller: ctx.caller,
    timeoutMs: Math.max(1, Math.ceil(ctx.deadline - performance.now())),
  };
  if (target.surface_id === undefined) {
    const { workspace } = await bus.call('workspace.current', target, options);
    return workspace.current_directory ?? nowhere('The workspace is in no directory.');
  }
  const wanted = target.surface_id;
  const { surfaces } = await bus.call('surface.list', target, options);
  const surface = surfaces.find(({ id, ref }) => ref === wanted || id === wanted.toUpperCase());
  return surface?.cwd ?? nowhere('The surface is in no directory.');
}

const fromHome = (path: string) => (path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);

function nowhere(message: string): never {
  fail('unavailable', message);
}
