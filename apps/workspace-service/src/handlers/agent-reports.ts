import type { HandlersIn } from '@switchyard/protocol';
import { dropAgentPids, putAgentPid } from '../domain/agent-pids.js';
import { isOn } from '../domain/hosts.js';
import { resolveSurface } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { reportedSurface, reportedWorkspace } from './reported.js';

type SurfaceReports = Pick<
  HandlersIn<'surface', 'workspace-service', Call>,
  'surface.report_agent_state' | 'surface.clear_agent_state' | 'surface.observe' | 'surface.sample'
>;
type WorkspaceReports = Pick<
  HandlersIn<'workspace', 'workspace-service', Call>,
  'workspace.set_agent_pid' | 'workspace.clear_agent_pid'
>;

/** Who reports where nobody says. */
const ANONYMOUS = 'hooks';

/** What is reported of agents. Whether the target exists is not looked at: a hook must not fail (decision 6). */
export function surfaceReportHandlers({ model, agents, terminals }: Services): SurfaceReports {
  const known = (id: string) => model.surfaces.has(id) || model.closed.get(id)?.phase === 'staged';
  return {
    'surface.report_agent_state': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const { state, source = 'hooks', reporter = ANONYMOUS, seq = null, agent = null } = params;
      const question =
        state === 'blocked' ? { kind: params.question ?? 'unknown', excerpt: params.message ?? '' } : null;
      const report = { at: model.now(), state, source, reporter, sequence: seq, agent, question };
      const accepted = id !== undefined && agents.report(id, report);
      return { ...echo, state, source, accepted };
    },
    'surface.clear_agent_state': (params) => {
      const { id, echo } = reportedSurface(model, params);
      if (id !== undefined) agents.clear(id);
      return echo;
    },
    'surface.observe': ({ surface_id, ...seen }, { caller }) => ({
      accepted: known(surface_id) && isOn(model, surface_id, caller.host) && agents.observe(surface_id, seen),
    }),
    'surface.sample': async (params, call) => {
      const place = resolveSurface(model, params);
      const { id } = place.surface;
      const sample = await terminals.ask('terminal.sample', place.surface, { surface_id: id }, call);
      return { ...where(place), ...ids('surface', place.surface), sample };
    },
  };
}

export function workspaceReportHandlers({ model, state }: Services): WorkspaceReports {
  return {
    'workspace.set_agent_pid': ({ workspace_id, key, pid }) => {
      const { id, echo } = reportedWorkspace(model, workspace_id);
      if (id !== undefined) state.change(() => putAgentPid(model, id, { key, pid }));
      return { ...echo, key, pid };
    },
    'workspace.clear_agent_pid': ({ workspace_id, key }) => {
      const { id, echo } = reportedWorkspace(model, workspace_id);
      if (id !== undefined) state.change(() => dropAgentPids(model, id, key));
      return { ...echo, key };
    },
  };
}
