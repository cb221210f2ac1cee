import type { AgentPid, WorkspaceRecord } from './entities.js';

/** programa-api §5.6. */
const PIDS_KEPT = 128;

/** Registers a process under a key, in the place of what the key had; the oldest go first. */
export function withAgentPid({ agentPids = [] }: WorkspaceRecord, pid: AgentPid): readonly AgentPid[] {
  return [...agentPids.filter(({ key }) => key !== pid.key), pid].slice(-PIDS_KEPT);
}

export const withoutAgentPid = ({ agentPids = [] }: WorkspaceRecord, key: string): readonly AgentPid[] =>
  agentPids.filter((one) => one.key !== key);
