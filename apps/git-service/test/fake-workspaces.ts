import type { HandlerContext } from '@switchyard/bus';
import type { Params, Result } from '@switchyard/protocol';
import { fail } from '@switchyard/protocol';
import type { Answers } from '@switchyard/testing';

type Place = Result<'workspace.places'>['places'][number];

/** Stands for the workspace-service: workspaces have a directory and a title, and a repeated request is answered once. */
export class FakeWorkspaces {
  readonly places: Place[] = [];
  readonly titles = new Map<string, string>();
  readonly surfaces: Params<'surface.create'>[] = [];
  readonly layouts: Record<string, unknown>[] = [];
  /** What `agent.list` answers. */
  readonly agents: Result<'agent.list'>['agents'] = [];
  /** Codes with which `workspace.close` refuses, by workspace. */
  readonly unclosable = new Map<string, 'protected' | 'invalid_state' | 'service_unavailable'>();
  selected: string | null = null;
  /** Names that `layout.list` knows. */
  layoutNames: string[] = [];
  /** What `layout.apply` opens does not start. */
  layoutFails = false;
  /** Runs before and after each call; may throw. */
  onCall: (method: string, when: 'before' | 'after') => void = () => undefined;
  readonly #answered = new Map<string, unknown>();
  #count = 0;

  /** Opens one, as a person would have. */
  add(directory: string, current_directory: string | null = directory): Place {
    this.#count++;
    const place = {
      window_id: 'W-1',
      window_ref: 'window:1',
      workspace_id: `WS-${this.#count}`,
      workspace_ref: `workspace:${this.#count}`,
      directory,
      current_directory,
    };
    this.places.push(place);
    return place;
  }

  close(workspace_id: string): void {
    const at = this.places.findIndex((place) => place.workspace_id === workspace_id);
    if (at !== -1) this.places.splice(at, 1);
  }

  /** Those on a directory. */
  on(directory: string): Place[] {
    return this.places.filter((place) => place.directory === directory);
  }

  get answers(): Answers {
    const answers = {
      'workspace.places': ({ window_id }: Params<'workspace.places'>) => {
        if (window_id !== undefined && window_id !== 'W-1') fail('unavailable', 'No such window', { window_id });
        return { window_id: 'W-1', window_ref: 'window:1', places: this.places.map((place) => ({ ...place })) };
      },
      'workspace.create': (params: Params<'workspace.create'>) => {
        const { window_id, window_ref, workspace_id, workspace_ref } = this.add(params.cwd ?? '/');
        if (params.title !== undefined) this.titles.set(workspace_id, params.title);
        const rest = { pane_id: 'P', pane_ref: 'pane:1', surface_id: 'S', surface_ref: 'surface:1' };
        return { window_id, window_ref, workspace_id, workspace_ref, ...rest };
      },
      'workspace.reorder': ({ workspace_id, after_workspace_id }: Params<'workspace.reorder'>) => {
        const from = this.places.findIndex((place) => place.workspace_id === workspace_id);
        const [moved] = this.places.splice(from, 1);
        const index = this.places.findIndex((place) => place.workspace_id === after_workspace_id) + 1;
        if (moved !== undefined) this.places.splice(index, 0, moved);
        return { ...this.#where(workspace_id), index };
      },
      'workspace.select': ({ workspace_id }: Params<'workspace.select'>) => {
        this.selected = workspace_id;
        return this.#where(workspace_id);
      },
      'workspace.close': ({ workspace_id }: Params<'workspace.close'>) => {
        const where = this.#where(workspace_id);
        const code = this.unclosable.get(where.workspace_id);
        if (code !== undefined) fail(code, 'It cannot be closed');
        this.close(where.workspace_id);
        return where;
      },
      'agent.list': () => ({ agents: this.agents }),
      'workspace.set_directory': ({ workspace_id, directory }: Params<'workspace.set_directory'>) => {
        const place = this.#find(workspace_id);
        this.places.splice(this.places.indexOf(place), 1, { ...place, directory });
        return this.#where(workspace_id);
      },
      'surface.create': (params: Params<'surface.create'>) => {
        this.surfaces.push(params);
        return {
          ...this.#where(params.workspace_id ?? ''),
          pane_id: 'P',
          pane_ref: 'pane:1',
          surface_id: 'S-2',
          surface_ref: 'surface:2',
          type: 'terminal',
        };
      },
      'layout.list': () => ({ layouts: this.layoutNames.map((name) => ({ name, saved_at: '2026-01-01T00:00:00Z' })) }),
      'layout.apply': (params: Record<string, unknown>) => {
        this.layouts.push(params);
        const failed = { surface_ref: 'surface:9', error: { code: 'command_not_found', message: 'no such program' } };
        const outcome = { complete: !this.layoutFails, surfaces: this.layoutFails ? [failed] : [], skipped: [] };
        return { ...this.#where(String(params['workspace_id'])), layout: params['name'], remarks: [], ...outcome };
      },
    };
    const wrapped = Object.entries(answers).map(([method, answer]) => [method, this.#once(method, answer as never)]);
    return Object.fromEntries(wrapped) as Answers;
  }

  /** As the real one: a mutation with a request id is carried out once. */
  #once(method: string, answer: (params: unknown) => unknown) {
    return (params: unknown, { requestId }: HandlerContext) => {
      this.onCall(method, 'before');
      const result =
        requestId !== undefined && this.#answered.has(requestId) ? this.#answered.get(requestId) : answer(params);
      if (requestId !== undefined) this.#answered.set(requestId, result);
      this.onCall(method, 'after');
      return result;
    };
  }

  #find(handle: string): Place {
    const place = this.places.find(({ workspace_id, workspace_ref }) => [workspace_id, workspace_ref].includes(handle));
    return place ?? fail('not_found', 'Workspace not found', { workspace_id: handle });
  }

  #where(handle: string) {
    const { window_id, window_ref, workspace_id, workspace_ref } = this.#find(handle);
    return { window_id, window_ref, workspace_id, workspace_ref };
  }
}
