import type { JournalNote } from '@switchyard/protocol';
import type { Model } from '../../src/domain/model.js';

/** The tree as somebody knows it who hears nothing but the events. */
export interface KnownTree {
  readonly windows: ReadonlySet<string>;
  /** Where each thing is. */
  readonly workspaces: ReadonlyMap<string, string>;
  readonly panes: ReadonlyMap<string, string>;
  readonly surfaces: ReadonlyMap<string, string>;
  /** What is selected in each window, focused in each workspace, in front in each pane. */
  readonly selected: ReadonlyMap<string, string>;
  readonly active: string | undefined;
  readonly front: string | undefined;
}

export class TreeFollower implements KnownTree {
  readonly windows = new Set<string>();
  readonly workspaces = new Map<string, string>();
  readonly panes = new Map<string, string>();
  readonly surfaces = new Map<string, string>();
  readonly selected = new Map<string, string>();
  active: string | undefined;
  front: string | undefined;

  hear({ kind, workspace_id, surface_id, data }: JournalNote): void {
    const [workspace, surface] = [workspace_id ?? '', surface_id ?? ''];
    switch (kind) {
      case 'window.created':
        this.windows.add(data.window_id);
        break;
      case 'window.closed':
        this.windows.delete(data.window_id);
        this.selected.delete(data.window_id);
        break;
      case 'window.activated':
        this.active = data.window_id;
        break;
      case 'workspace.created':
      case 'workspace.moved':
        this.#put(this.workspaces, workspace, data.window_id);
        break;
      case 'workspace.closed':
        this.#remove(this.workspaces, workspace);
        break;
      case 'workspace.selected':
        this.selected.set(data.window_id, workspace);
        break;
      case 'pane.created':
      case 'pane.moved':
        this.#put(this.panes, data.pane_id, workspace);
        break;
      case 'pane.closed':
        this.#remove(this.panes, data.pane_id);
        break;
      case 'pane.focused':
        this.selected.set(workspace, data.pane_id);
        break;
      case 'surface.created':
      case 'surface.moved':
        this.#put(this.surfaces, surface, data.pane_id);
        break;
      case 'surface.closed':
        this.#remove(this.surfaces, surface);
        break;
      case 'surface.selected':
        this.selected.set(data.pane_id, surface);
        break;
      case 'surface.focused':
        this.front = surface;
        break;
      default:
    }
  }

  /** The first in a place is what that shows; whatever takes its place later is told. */
  #put(places: Map<string, string>, id: string, place: string): void {
    places.set(id, place);
    if (!this.selected.has(place)) this.selected.set(place, id);
  }

  #remove(places: Map<string, string>, id: string): void {
    places.delete(id);
    this.selected.delete(id);
  }
}

/** The same, as it is. */
export function knownTree(model: Model, front: string | undefined): KnownTree {
  const windows = [...model.windows.values()];
  const workspaces = [...model.workspaces.values()];
  const panes = [...model.panes.values()];
  return {
    windows: new Set(windows.map(({ id }) => id)),
    workspaces: new Map(workspaces.map(({ id, windowId }) => [id, windowId])),
    panes: new Map(panes.map(({ id, workspaceId }) => [id, workspaceId])),
    surfaces: new Map([...model.surfaces.values()].map(({ id, paneId }) => [id, paneId])),
    selected: new Map([
      ...windows.map(({ id, selectedId }) => [id, selectedId] as const),
      ...workspaces.map(({ id, focusedPaneId }) => [id, focusedPaneId] as const),
      ...panes.map(({ id, selectedId }) => [id, selectedId] as const),
    ]),
    active: model.yard.activeWindowId ?? undefined,
    front,
  };
}
