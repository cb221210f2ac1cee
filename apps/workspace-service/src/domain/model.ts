import { fail, type JournalNote } from '@switchyard/protocol';
import type {
  AgentRecord,
  ClosedRecord,
  Id,
  PaneRecord,
  RefKind,
  SurfaceRecord,
  WindowRecord,
  WorkspaceRecord,
  YardRecord,
} from './entities.js';
import { GitBoard } from './git-board.js';
import type { HostRecord } from './hosts.js';
import { groupOf, type MetadataRecord } from './metadata.js';
import type { PromptRecord } from './prompt-receipt.js';
import { leaves } from './split-tree.js';
import { Table } from './table.js';

/** What the model takes from outside, so that it stays pure. */
export interface ModelSources {
  /** A fresh canonical id. */
  newId(): Id;
  /** Unix milliseconds. */
  now(): number;
}

export const TABLES = [
  'yard',
  'windows',
  'workspaces',
  'panes',
  'surfaces',
  'closed',
  'agents',
  'prompts',
  'metadata',
  'hosts',
] as const;
export type TableName = (typeof TABLES)[number];

const EMPTY_YARD: YardRecord = {
  id: 'yard',
  windowIds: [],
  activeWindowId: null,
  stoppedAt: null,
  counters: { window: 0, workspace: 0, pane: 0, surface: 0 },
};

/**
 * Windows, workspaces, panes and surfaces, and which of them is selected. All lookups are by id; nothing scans the whole
 * model, so that its three-hundredth surface costs what its tenth did.
 */
export class Model {
  readonly yards = new Table<YardRecord>();
  readonly windows = new Table<WindowRecord>();
  readonly workspaces = new Table<WorkspaceRecord>();
  readonly panes = new Table<PaneRecord>();
  readonly surfaces = new Table<SurfaceRecord>();
  readonly closed = new Table<ClosedRecord>();
  readonly agents = new Table<AgentRecord>();
  readonly prompts = new Table<PromptRecord>();
  readonly metadata = new Table<MetadataRecord>(groupOf);
  readonly hosts = new Table<HostRecord>();
  readonly git = new GitBoard();
  readonly sources: ModelSources;
  #notes: JournalNote[] = [];

  constructor(sources: ModelSources) {
    this.sources = sources;
  }

  /** The tables by name, for the store. */
  tables(): { readonly [T in TableName]: Table<never> } {
    return {
      yard: this.yards,
      windows: this.windows,
      workspaces: this.workspaces,
      panes: this.panes,
      surfaces: this.surfaces,
      closed: this.closed,
      agents: this.agents,
      prompts: this.prompts,
      metadata: this.metadata,
      hosts: this.hosts,
    } as unknown as { readonly [T in TableName]: Table<never> };
  }

  get yard(): YardRecord {
    return this.yards.get('yard') ?? EMPTY_YARD;
  }

  newId(): Id {
    return this.sources.newId();
  }

  now(): number {
    return this.sources.now();
  }

  /** Part of a change: tells of something that no record shows (see domain/changes.ts for what they do show). */
  note(note: JournalNote): void {
    this.#notes.push(note);
  }

  /** What was noted since last asked. */
  takeNotes(): readonly JournalNote[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  /** The next ref of a kind. Refs are never given out twice, even after an undone creation (programa-api §2.4). */
  nextRef(kind: RefKind): number {
    const { yard } = this;
    const ref = yard.counters[kind] + 1;
    this.yards.put({ ...yard, counters: { ...yard.counters, [kind]: ref } });
    return ref;
  }

  window(id: Id): WindowRecord {
    return this.windows.get(id) ?? gone('window', id);
  }

  workspace(id: Id): WorkspaceRecord {
    return this.workspaces.get(id) ?? gone('workspace', id);
  }

  pane(id: Id): PaneRecord {
    return this.panes.get(id) ?? gone('pane', id);
  }

  surface(id: Id): SurfaceRecord {
    return this.surfaces.get(id) ?? gone('surface', id);
  }

  patchYard(change: Partial<YardRecord>): void {
    this.yards.put({ ...this.yard, ...change });
  }

  patchWindow(id: Id, change: Partial<WindowRecord>): void {
    this.windows.put({ ...this.window(id), ...change });
  }

  patchWorkspace(id: Id, change: Partial<WorkspaceRecord>): void {
    this.workspaces.put({ ...this.workspace(id), ...change });
  }

  patchPane(id: Id, change: Partial<PaneRecord>): void {
    this.panes.put({ ...this.pane(id), ...change });
  }

  patchSurface(id: Id, change: Partial<SurfaceRecord>): void {
    this.surfaces.put({ ...this.surface(id), ...change });
  }

  workspaceOf(surface: SurfaceRecord): WorkspaceRecord {
    return this.workspace(this.pane(surface.paneId).workspaceId);
  }

  /** Panes of a workspace, depth first. */
  panesIn(workspace: WorkspaceRecord): PaneRecord[] {
    return leaves(workspace.tree).map((id) => this.pane(id));
  }

  /** Surfaces of a workspace: panes depth first, tabs left to right (programa-api §5.4). */
  surfacesIn(workspace: WorkspaceRecord): SurfaceRecord[] {
    return this.panesIn(workspace).flatMap((pane) => pane.surfaceIds.map((id) => this.surface(id)));
  }

  /** The selected tab of the focused pane. */
  focusedSurface(workspace: WorkspaceRecord): SurfaceRecord {
    return this.surface(this.pane(workspace.focusedPaneId).selectedId);
  }
}

function gone(kind: string, id: Id): never {
  return fail('not_found', `There is no such ${kind}`, { [`${kind}_id`]: id });
}
