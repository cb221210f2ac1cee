import type { Random } from '../fuzz/random.mjs';
import { codeOf, type Door } from './door.js';
import { type Actor, pause, type World } from './world.js';

/** Costs next to nothing, and ends at its hang-up. */
const SLEEPER = ['sleep', '1000000'];
const PAUSE_MS = { least: 100, most: 2_000 };
const WORKSPACES_AT_FIRST = 2;
const SURFACES_AT_FIRST = 2;
const MOST_WORKSPACES = 3;
const MOST_SURFACES = 3;
const DIRECTIONS = ['left', 'right', 'up', 'down'] as const;
/** The tree is compared after so many changes on average. */
const LOOK_SHARE = 0.25;

interface Workspace {
  readonly id: string;
  title: string;
  readonly surfaces: Set<string>;
}

/** Creates, splits, renames and closes, each under a request_id, and knows what must have become of it. */
export class Rearranging implements Actor {
  readonly name: string;
  readonly #world: World;
  readonly #door: Door;
  readonly #random: Random;
  readonly #mine: Workspace[] = [];
  #count = 0;

  constructor(world: World, number: number) {
    this.name = `rearranger ${number}`;
    this.#world = world;
    this.#door = world.door();
    this.#random = world.random();
  }

  async open(): Promise<void> {
    while (this.#mine.length < WORKSPACES_AT_FIRST) await this.#create();
    for (const workspace of this.#mine) await this.#split(workspace);
  }

  async run(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await this.#change();
      this.#world.ledger.did('changes');
      if (this.#random.chance(LOOK_SHARE)) await this.#look(this.#random.pick(this.#mine));
      await pause(PAUSE_MS.least + this.#random.below(PAUSE_MS.most - PAUSE_MS.least), until);
    }
  }

  /** Leaves as many surfaces as there were at the beginning, so that what is held then can be compared. */
  async finish(): Promise<void> {
    for (const workspace of this.#mine) await this.#look(workspace);
    for (const workspace of this.#mine.slice(WORKSPACES_AT_FIRST)) await this.#closeWorkspace(workspace);
    while (this.#mine.length < WORKSPACES_AT_FIRST) await this.#create();
    for (const workspace of this.#mine) {
      const surplus = [...workspace.surfaces].slice(SURFACES_AT_FIRST);
      for (const surface of surplus) await this.#closeSurface(workspace, surface);
      while (workspace.surfaces.size < SURFACES_AT_FIRST) await this.#split(workspace);
      await this.#look(workspace);
    }
  }

  async close(): Promise<void> {
    await this.#door.close();
  }

  async #change(): Promise<void> {
    const workspace = this.#random.pick(this.#mine);
    const dice = this.#random.next();
    const isFull = workspace.surfaces.size >= MOST_SURFACES;
    if (dice < 0.3) await this.#rename(workspace);
    else if (dice < 0.45) await this.#renameTab(workspace);
    else if (dice < 0.6 && this.#mine.length < MOST_WORKSPACES) await this.#create();
    else if (dice < 0.75 && this.#mine.length > 1) await this.#closeWorkspace(workspace);
    else if (isFull) await this.#closeSurface(workspace, this.#random.pick([...workspace.surfaces]));
    else await this.#split(workspace);
  }

  async #create(): Promise<void> {
    const title = this.#title();
    const made = await this.#door.surely('workspace.create', { title, argv: SLEEPER });
    const workspace = { id: made.workspace_id, title, surfaces: new Set([made.surface_id]) };
    this.#mine.push(workspace);
    this.#world.tree.set(workspace.id, workspace.surfaces);
    this.#expect('workspace.created', { workspace_id: workspace.id });
    this.#expect('surface.created', { surface_id: made.surface_id });
  }

  async #split(workspace: Workspace): Promise<void> {
    const [surface_id = ''] = workspace.surfaces;
    const place = { workspace_id: workspace.id, surface_id, argv: SLEEPER };
    const made = this.#random.chance(0.5)
      ? await this.#door.surely('surface.split', { ...place, direction: this.#random.pick(DIRECTIONS) })
      : await this.#door.surely('surface.create', { workspace_id: workspace.id, argv: SLEEPER });
    workspace.surfaces.add(made.surface_id);
    this.#expect('surface.created', { surface_id: made.surface_id });
  }

  async #rename(workspace: Workspace): Promise<void> {
    workspace.title = this.#title();
    await this.#door.surely('workspace.rename', { workspace_id: workspace.id, title: workspace.title });
    this.#expect('workspace.renamed', { title: workspace.title });
  }

  async #renameTab(workspace: Workspace): Promise<void> {
    const surface_id = this.#random.pick([...workspace.surfaces]);
    const title = this.#title();
    await this.#door.surely('tab.action', { surface_id, action: 'rename', title });
    this.#expect('surface.renamed', { surface_id, title });
  }

  async #closeSurface(workspace: Workspace, surface_id: string): Promise<void> {
    await this.#door.surely('surface.close', { surface_id, now: this.#random.chance(0.5) });
    workspace.surfaces.delete(surface_id);
    this.#expect('surface.closed', { surface_id });
  }

  async #closeWorkspace(workspace: Workspace): Promise<void> {
    await this.#door.surely('workspace.close', { workspace_id: workspace.id });
    this.#mine.splice(this.#mine.indexOf(workspace), 1);
    this.#world.tree.delete(workspace.id);
    this.#expect('workspace.closed', { workspace_id: workspace.id });
  }

  /** The branch of one workspace, as the yard has it. */
  async #look({ id, title, surfaces }: Workspace): Promise<void> {
    try {
      const { windows } = await this.#door.surely('system.tree', { workspace_id: id });
      const [branch] = windows.flatMap(({ workspaces }) => workspaces);
      if (branch?.title !== title) this.#fault(`${id} has the title ${branch?.title}, not ${title}`);
      const there = branch?.panes.flatMap((pane) => pane.surface_ids) ?? [];
      for (const surface of surfaces) {
        if (!there.includes(surface)) this.#fault(`${surface} is not in ${id}`);
      }
      for (const surface of there) {
        if (!surfaces.has(surface)) this.#world.ledger.fault('changes doubled', `${this.name}: ${surface} in ${id}`);
      }
    } catch (error) {
      if (codeOf(error) !== 'not_found') throw error;
      this.#fault(`${id} is gone`);
    }
  }

  #title(): string {
    return `${this.name} ${++this.#count}`;
  }

  #expect(kind: string, members: Record<string, unknown>): void {
    this.#world.events.push({ kind, members });
  }

  #fault(what: string): void {
    this.#world.ledger.fault('changes lost', `${this.name}: ${what}`);
  }
}
