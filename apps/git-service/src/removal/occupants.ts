import type { Bus, CallOptions } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import { canonicalPath } from '../adapters/canonical-path.js';
import type { AgentFact } from '../domain/removal/inventory.js';
import { placesOf } from '../places.js';

/** The workspace that was opened on a worktree, and the agents in it. */
export interface Occupants {
  readonly workspace: WorkspaceName | null;
  readonly agents: readonly AgentFact[];
}

export interface WorkspaceName {
  readonly workspace_id: string;
  readonly workspace_ref: string;
}

/**
 * Who is in a worktree: agents of its workspace, and agents anywhere whose terminal is in its folder.
 * @throws `unavailable`, `service_unavailable`: whether an agent is at work is not guessed
 */
export async function occupantsOf(
  bus: Bus,
  path: string,
  options: CallOptions,
  window_id?: string,
): Promise<Occupants> {
  const root = await canonicalPath(path);
  const place = (await placesOf(bus, options, window_id)).openedOn(root);
  const { agents } = await bus.call('agent.list', {}, options);
  const inside: AgentFact[] = [];
  for (const { cwd, workspace_id, surface_ref, agent, state } of agents) {
    const folder = cwd === null ? '' : await canonicalPath(cwd);
    const isHere = folder === root || folder.startsWith(`${root}/`) || workspace_id === place?.workspace_id;
    if (isHere) inside.push({ surface_ref, agent, state });
  }
  const workspace =
    place === undefined ? null : { workspace_id: place.workspace_id, workspace_ref: place.workspace_ref };
  return { workspace, agents: inside };
}

/** What became of the workspace of a worktree that is gone. */
export interface Closed {
  readonly closed: WorkspaceName | null;
  readonly kept: (WorkspaceName & { readonly reason: string }) | null;
}

/**
 * Closes the workspace of a worktree that is gone. A pinned workspace, and the only one of its window, stay.
 * @param requestId with which a repeat closes nothing else
 */
export async function closeWorkspace(
  bus: Bus,
  workspace: WorkspaceName | null,
  requestId: string,
  options: CallOptions,
): Promise<Closed> {
  if (workspace === null) return { closed: null, kept: null };
  try {
    await bus.call('workspace.close', { workspace_id: workspace.workspace_id }, { ...options, requestId });
    return { closed: workspace, kept: null };
  } catch (error) {
    if (!(error instanceof SwitchyardError)) throw error;
    if (error.code === 'not_found') return { closed: workspace, kept: null };
    if (error.code !== 'protected' && error.code !== 'invalid_state') throw error;
    return { closed: null, kept: { ...workspace, reason: error.message } };
  }
}
