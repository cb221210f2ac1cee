import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Bus, HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn, type Result } from '@switchyard/protocol';
import { canonicalPath } from '../adapters/canonical-path.js';
import { git } from '../adapters/git-cli.js';
import { parseWorktrees, type Worktree } from '../domain/parse-worktrees.js';

type Listed = Result<'worktree.list'>['worktrees'][number];
type OpenWorkspace = { readonly id: string; readonly ref: string };

/** `worktree.*`, answered from git and, for what is open, from the workspace-service. */
export function worktreeHandlers(bus: Bus): HandlersIn<'worktree', 'git-service', HandlerContext> {
  return {
    'worktree.list': async ({ repo }, ctx) => {
      const top = await topLevelOf(fromHome(repo), ctx.signal);
      const output = await git(top, ['worktree', 'list', '--porcelain', '-z'], ctx);
      const open = await openWorkspaces(bus, ctx);
      const worktrees = await Promise.all(parseWorktrees(output).map((worktree) => withWorkspace(worktree, open)));
      return { repo: top, worktrees };
    },
  };
}

/** The checkout that holds a folder; of a bare repository its own folder. */
async function topLevelOf(folder: string, signal: AbortSignal): Promise<string> {
  if (!isAbsolute(folder))
    fail('invalid_params', '`repo` must be an absolute path, or begin with `~/`.', { repo: folder });
  const bare = await git(folder, ['rev-parse', '--is-bare-repository'], { signal });
  const what = bare.trim() === 'true' ? '--absolute-git-dir' : '--show-toplevel';
  return withoutNewline(await git(folder, ['rev-parse', what], { signal }));
}

/** Canonical directory → workspace. Of several with the same directory the first counts. */
async function openWorkspaces(bus: Bus, ctx: HandlerContext): Promise<Map<string, OpenWorkspace>> {
  const timeoutMs = Math.max(1, ctx.deadline - Date.now());
  const { workspaces } = await bus.call('workspace.list', {}, { signal: ctx.signal, caller: ctx.caller, timeoutMs });
  const open = new Map<string, OpenWorkspace>();
  for (const { id, ref, current_directory } of workspaces) {
    if (current_directory === null) continue;
    const path = await canonicalPath(current_directory);
    if (!open.has(path)) open.set(path, { id, ref });
  }
  return open;
}

async function withWorkspace(worktree: Worktree, open: ReadonlyMap<string, OpenWorkspace>): Promise<Listed> {
  const workspace = open.get(await canonicalPath(worktree.path));
  return {
    ...worktree,
    is_open: workspace !== undefined,
    workspace_id: workspace?.id ?? null,
    workspace_ref: workspace?.ref ?? null,
  };
}

const fromHome = (path: string) => (path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);

/** git ends its answer with one newline; any other belongs to the path. */
const withoutNewline = (text: string) => text.replace(/\n$/, '');
