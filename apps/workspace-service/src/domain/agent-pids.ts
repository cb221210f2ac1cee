import type { AgentPid, Id } from './entities.js';
import type { Model } from './model.js';

/** programa-api §5.6. */
const PIDS_KEPT = 128;

/** Part of a change: registers a process under a key, in the place of what the key had; the oldest go first. */
export function putAgentPid(model: Model, workspaceId: Id, { key, pid }: AgentPid): void {
  const { agentPids = [] } = model.workspace(workspaceId);
  if (agentPids.some((known) => known.key === key && known.pid === pid)) return;
  const others = agentPids.filter((known) => known.key !== key);
  model.patchWorkspace(workspaceId, { agentPids: [...others, { key, pid }].slice(-PIDS_KEPT) });
}

/** Part of a change. @param key of the one to forget; all when left out */
export function dropAgentPids(model: Model, workspaceId: Id, key?: string): void {
  const { agentPids = [] } = model.workspace(workspaceId);
  const left = agentPids.filter((known) => key !== undefined && known.key !== key);
  if (left.length < agentPids.length) model.patchWorkspace(workspaceId, { agentPids: left });
}
