import { displayText } from '@switchyard/agents';
import { fail, type HandlersIn, type Result } from '@switchyard/protocol';
import type { SurfaceRecord } from '../domain/entities.js';
import { resolveSurface } from '../domain/resolve.js';
import { clearReports, noteTelemetry, sortedPorts, type TelemetryFacts, telemetryOf } from '../domain/telemetry.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { reportedSurface, reportedWorkspace } from './reported.js';

export type TelemetryMethods =
  | 'surface.report_tty'
  | 'surface.report_pwd'
  | 'surface.report_shell_state'
  | 'surface.report_git_branch'
  | 'surface.clear_git_branch'
  | 'surface.report_pr'
  | 'surface.clear_pr'
  | 'surface.report_ports'
  | 'surface.clear_ports'
  | 'surface.ports_kick'
  | 'surface.ports';
type Handlers = Pick<HandlersIn<'surface', 'workspace-service', Call>, TelemetryMethods>;
type PortMethods = 'surface.report_ports' | 'surface.clear_ports' | 'surface.ports_kick' | 'surface.ports';

const PR_LABEL = 'PR';

/** What shells and tools tell of the terminal they run in, and on which ports it is found to listen. */
export function telemetryHandlers(services: Services): Handlers {
  return { ...reports(services), ...ports(services) };
}

function reports({ model, state }: Services): Omit<Handlers, PortMethods> {
  const note = (id: string | undefined, change: Partial<TelemetryFacts>) =>
    id !== undefined && state.change(() => noteTelemetry(model, id, change));
  return {
    'surface.report_tty': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const tty = clean('tty_name', params.tty_name);
      note(id, { tty });
      return { ...echo, tty_name: tty };
    },
    'surface.report_pwd': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const { path: cwd } = params;
      if (id !== undefined && model.surface(id).cwd !== cwd) state.change(() => model.patchSurface(id, { cwd }));
      return { ...echo, path: cwd };
    },
    'surface.report_shell_state': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const shellState = params.state === 'unknown' ? null : params.state;
      return { ...echo, state: params.state, deduped: id !== undefined && !note(id, { shellState }) };
    },
    'surface.report_git_branch': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const branch = { branch: clean('branch', params.branch), dirty: params.dirty ?? false };
      note(id, { branch });
      return { ...echo, ...branch };
    },
    'surface.clear_git_branch': (params) => {
      const { id, echo } = reportedSurface(model, params);
      note(id, { branch: null });
      return echo;
    },
    'surface.report_pr': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const { number, label = PR_LABEL, url, state: prState = 'open', branch, checks = null } = params;
      const pullRequest = {
        number,
        label: clean('label', label),
        url: clean('url', url),
        state: prState,
        branch: branch === undefined ? null : clean('branch', branch),
        checks,
      };
      note(id, { pullRequest });
      return { ...echo, ...pullRequest };
    },
    'surface.clear_pr': (params) => {
      const { id, echo } = reportedSurface(model, params);
      note(id, { pullRequest: null });
      return echo;
    },
  };
}

function ports({ model, state, terminals, log }: Services): Pick<Handlers, PortMethods> {
  return {
    'surface.report_ports': (params) => {
      const { id, echo } = reportedSurface(model, params);
      const reportedPorts = sortedPorts(params.ports);
      if (id !== undefined) state.change(() => noteTelemetry(model, id, { reportedPorts }));
      return { ...echo, ports: reportedPorts };
    },
    'surface.clear_ports': ({ workspace_id, surface_id }) => {
      const workspace = reportedWorkspace(model, workspace_id);
      const surface = surface_id === undefined ? undefined : reportedSurface(model, { workspace_id, surface_id });
      const inWorkspace = workspace.id === undefined ? [] : model.surfacesIn(model.workspace(workspace.id));
      const targets = surface === undefined ? inWorkspace.map(({ id }) => id) : [surface.id];
      state.change(() => {
        for (const id of targets) if (id !== undefined) noteTelemetry(model, id, { reportedPorts: [] });
      });
      return { ...workspace.echo, surface_id: null, surface_ref: null, ...surface?.echo };
    },
    'surface.ports_kick': (params, call) => {
      const { id, echo } = reportedSurface(model, params);
      if (id !== undefined) {
        const asked = terminals.ask('terminal.ports', model.surface(id), { surface_id: id, later: true }, call);
        // It was a hint; where it leads is told by an event.
        asked.catch((err: unknown) => log.debug({ err, surface_id: id }, 'the ports could not be looked at'));
      }
      return { ...echo, reason: params.reason ?? 'command' };
    },
    'surface.ports': async (params, call) => {
      const place = resolveSurface(model, params);
      const { id } = place.surface;
      const { ports: foundPorts } = await terminals.ask('terminal.ports', place.surface, { surface_id: id }, call);
      if (model.surfaces.has(id)) state.change(() => noteTelemetry(model, id, { foundPorts }));
      const surface = model.surfaces.get(id) ?? place.surface;
      return { ...where(place), ...ids('surface', surface), ports: portRows(surface, foundPorts) };
    },
  };
}

/** What was reported of a workspace's terminals is taken back. */
export function clearAllReports({ model, state, agents }: Services, surfaces: readonly SurfaceRecord[]): void {
  state.change(() => {
    for (const { id } of surfaces) clearReports(model, id);
  });
  for (const { id } of surfaces) agents.clear(id);
}

function portRows(surface: SurfaceRecord, found: TelemetryFacts['foundPorts']): Result<'surface.ports'>['ports'] {
  const known = new Set(found.map(({ port }) => port));
  const reported = telemetryOf(surface).reportedPorts.filter((port) => !known.has(port));
  return [
    ...found.map((row) => ({ ...row, addresses: [...row.addresses], source: 'found' as const })),
    ...reported.map((port) => ({ port, addresses: [], pid: null, process: null, source: 'reported' as const })),
  ].sort((a, b) => a.port - b.port);
}

/** One line without control sequences. @throws `invalid_params` when nothing is left of it */
export function clean(parameter: string, text: string): string {
  const line = displayText(text, Number.POSITIVE_INFINITY);
  return line || fail('invalid_params', `Missing or invalid ${parameter}`, { path: parameter });
}
