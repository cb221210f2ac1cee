import { openDatabase } from '@switchyard/store/sqlite';
import { tempDir } from '@switchyard/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { notesOfChange } from '../../src/domain/changes.js';
import {
  isLastInWorkspace,
  rememberClosed,
  removeSurface,
  removeWindow,
  removeWorkspace,
} from '../../src/domain/closing.js';
import { createSplit, createTab, createWindow, createWorkspace, paneCount } from '../../src/domain/creating.js';
import { focusSurface, neighbour, selectWorkspace } from '../../src/domain/focus.js';
import { frontSurface } from '../../src/domain/identity.js';
import { buildInWorkspace } from '../../src/domain/layout-build.js';
import { Model } from '../../src/domain/model.js';
import * as moving from '../../src/domain/moving.js';
import { at } from '../../src/domain/resolve.js';
import {
  readSnapshot,
  SNAPSHOT_FORMAT,
  SNAPSHOT_VERSION,
  type Topology,
  topologyOf,
} from '../../src/domain/snapshot.js';
import { addWindows, rollBackTo } from '../../src/domain/snapshot-restore.js';
import { equalize } from '../../src/domain/split-tree.js';
import { performTabAction } from '../../src/domain/tab-actions.js';
import { markFocus, reopenSurface, stagedSurface, undoCreation } from '../../src/domain/undo.js';
import { performWorkspaceAction } from '../../src/domain/workspace-actions.js';
import { MIGRATIONS, ModelStore } from '../../src/store/model-store.js';
import { breaches } from './invariants.js';
import { emptyModel, SHELL } from './model-builder.js';
import { knownTree, TreeFollower } from './tree-follower.js';

const PANE_CAP = 4;
const DIRECTIONS = ['left', 'right', 'up', 'down'] as const;

/** Three numbers choose what an operation acts on; what can not be done is skipped. */
type Choice = readonly [number, number, number];
const pick = <T>(items: readonly T[], choice: number): T => items[choice % items.length] as T;

/** What the operations of one run have saved last. */
const taken = new WeakMap<Model, Topology>();
/** A restore doubles them. */
const MOST_WINDOWS = 6;

const planned = { terminal: SHELL, isOwn: false, cwdGiven: true, focus: false, agentName: null };
const pane = { kind: 'leaf', surfaces: [planned, planned] } as const;
/** One pane less than fits, beside one that is there. */
const LAYOUT = {
  kind: 'split',
  axis: 'vertical',
  ratio: 0.3,
  first: pane,
  second: { kind: 'split', axis: 'horizontal', ratio: 0.5, first: pane, second: pane },
} as const;

/** Every operation of the model, on things chosen by numbers. */
const OPERATIONS: Record<string, (model: Model, choice: Choice) => void> = {
  window: (model) => void createWindow(model, SHELL),
  workspace: (model, [a, b]) =>
    void createWorkspace(model, window(model, a).id, pick(['top', 'after-current', 'end'] as const, b), {}, SHELL),
  tab: (model, [a]) => void createTab(model, surface(model, a).paneId, SHELL),
  split: (model, [a, b, c]) => {
    const source = surface(model, a);
    if (paneCount(model.workspaceOf(source)) >= PANE_CAP) return;
    createSplit(model, source.paneId, pick(DIRECTIONS, b), SHELL, c % 2 === 0);
  },
  failedSplit: (model, [a, b]) => {
    const { paneId } = surface(model, a);
    const mark = markFocus(model, paneId);
    undoCreation(model, createSplit(model, paneId, pick(DIRECTIONS, b), SHELL, true), mark);
  },
  close: (model, [a, b]) => {
    const closing = surface(model, a);
    if (isLastInWorkspace(model, closing) && b % 2 === 0) return;
    const removed = removeSurface(model, closing);
    for (const departed of removed.departed) rememberClosed(model, departed, 'staged', 5000);
    ensure(model);
  },
  reopen: (model) => {
    if (model.closed.size > 0) reopenSurface(model, stagedSurface(model));
  },
  closeWorkspace: (model, [a]) => {
    removeWorkspace(model, workspace(model, a));
    ensure(model);
  },
  closeWindow: (model, [a]) => {
    removeWindow(model, window(model, a).id);
    ensure(model);
  },
  focus: (model, [a]) => focusSurface(model, surface(model, a).id),
  step: (model, [a, b]) => selectWorkspace(model, neighbour(model, window(model, a).id, b % 2 === 0 ? 1 : -1).id),
  move: (model, [a, b, c]) => {
    moving.moveSurface(model, surface(model, a).id, surface(model, b).paneId, c % 3 === 0 ? undefined : c % 5);
  },
  reorder: (model, [a, b]) => moving.reorderSurface(model, surface(model, a), { index: b % 5 }),
  swap: (model, [a, b]) => {
    const panes = model.panesIn(workspace(model, a));
    if (panes.length > 1) moving.swapPanes(model, pick(panes, b), pick(panes, b + 1));
  },
  breakOut: (model, [a]) => {
    const moved = surface(model, a);
    if (!isLastInWorkspace(model, moved)) moving.breakOut(model, moved, 'after-current');
  },
  drag: (model, [a, b]) => {
    const dragged = surface(model, a);
    const isFull = paneCount(model.workspaceOf(dragged)) >= PANE_CAP;
    if (isFull || model.pane(dragged.paneId).surfaceIds.length === 1) return;
    moving.dragToSplit(model, dragged, pick(DIRECTIONS, b));
  },
  toWindow: (model, [a, b]) => {
    const moved = workspace(model, a);
    if (model.window(moved.windowId).workspaceIds.length === 1) return;
    moving.moveWorkspaceToWindow(model, moved.id, window(model, b).id, 'after-current');
  },
  pinTab: (model, [a, b]) => void performTabAction(model, at(model, surface(model, a).id), pick(['pin', 'unpin'], b)),
  workspaceAction: (model, [a, b]) => {
    const target = workspace(model, a);
    const actions = ['pin', 'unpin', 'move_up', 'move_down', 'move_top', 'close_above', 'close_others'] as const;
    performWorkspaceAction(model, { window: model.window(target.windowId), workspace: target }, pick(actions, b), {});
  },
  snapshot: (model) => {
    const topology = topologyOf(model, () => ({ agent: null, name: null }));
    const head = { format: SNAPSHOT_FORMAT, version: SNAPSHOT_VERSION, id: 'one', savedAt: 0 };
    taken.set(model, readSnapshot(JSON.parse(JSON.stringify({ ...head, topology }))).topology);
  },
  rollBack: (model) => {
    const topology = taken.get(model);
    if (topology === undefined) return;
    const before = [...model.surfaces.values()].map(({ id }) => id);
    const { kept } = rollBackTo(model, topology);
    const lost = before.filter((id) => !model.surfaces.has(id));
    if (lost.length > 0) throw new Error(`a rollback lost ${lost.join()}`);
    if (kept.length === 0 && model.surfaces.size !== topology.surfaces.length) throw new Error('it made others');
  },
  restore: (model) => {
    const topology = taken.get(model);
    if (topology !== undefined && model.windows.size < MOST_WINDOWS) addWindows(model, topology);
  },
  layout: (model, [a]) => {
    const { id, tree } = workspace(model, a);
    if (tree.kind === 'leaf') buildInWorkspace(model, id, LAYOUT);
  },
  equalize: (model, [a]) => {
    const { id, tree } = workspace(model, a);
    model.patchWorkspace(id, { tree: equalize(tree) });
  },
};

const window = (model: Model, choice: number) => pick([...model.windows.values()], choice);
const workspace = (model: Model, choice: number) => pick([...model.workspaces.values()], choice);
const surface = (model: Model, choice: number) => pick([...model.surfaces.values()], choice);
const ensure = (model: Model) => {
  if (model.yard.windowIds.length === 0) createWindow(model, SHELL);
};

const step = fc.tuple(fc.constantFrom(...Object.keys(OPERATIONS)), fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)));
const steps = fc.array(step, { maxLength: 60 });

/** Everything a model holds, in an order that does not depend on its history. */
function contents(model: Model) {
  return Object.values(model.tables()).map((table) =>
    [...table.values()].sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
  );
}
const accept = (model: Model) => {
  for (const table of Object.values(model.tables())) table.accept();
};

/** A new window that does not show the first of its workspaces: once that was not told. */
const RESTORED_WINDOW: [keyof typeof OPERATIONS, [number, number, number]][] = [
  ['workspace', [0, 0, 0]],
  ['snapshot', [0, 0, 0]],
  ['restore', [0, 0, 0]],
];

describe('after any sequence of operations', () => {
  const dir = tempDir('sy-model');
  let databases = 0;
  afterAll(() => dir.remove());

  it('every surface is in exactly one pane, every selection is valid, pinned ones lead, no tree is over its cap', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { model } = emptyModel();
        ensure(model);
        for (const [name, choice] of sequence) {
          OPERATIONS[name]?.(model, choice);
          expect(breaches(model, PANE_CAP), name).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('no ref was given out twice, and surfaces keep theirs', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { model } = emptyModel();
        ensure(model);
        const owners = new Map<string, string>();
        for (const [name, choice] of sequence) {
          OPERATIONS[name]?.(model, choice);
          for (const [kind, table] of [
            ['w', model.windows],
            ['ws', model.workspaces],
            ['p', model.panes],
            ['s', model.surfaces],
          ] as const) {
            for (const { id, ref } of table.values()) {
              expect(owners.get(`${kind}${ref}`) ?? id).toBe(id);
              owners.set(`${kind}${ref}`, id);
            }
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('what is loaded is what was saved, though only changed records were written', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const path = `${dir.path}/${databases++}.db`;
        const store = new ModelStore(openDatabase(path, { migrations: MIGRATIONS }));
        const { model } = emptyModel();
        ensure(model);
        for (const [name, choice] of sequence) {
          OPERATIONS[name]?.(model, choice);
          store.commit(model);
          accept(model);
        }
        store.commit(model);
        store.close();
        const again = new Model(model.sources);
        const reopened = new ModelStore(openDatabase(path, { migrations: MIGRATIONS }));
        reopened.load(again);
        reopened.close();
        expect(contents(again)).toEqual(contents(model));
      }),
      { numRuns: 15 },
    );
  });

  it('whoever heard all events knows the tree', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const { model } = emptyModel();
        const follower = new TreeFollower();
        let front: string | undefined;
        const commit = () => {
          for (const note of notesOfChange(model, front)) follower.hear(note);
          front = frontSurface(model)?.surface.id;
          accept(model);
          expect({ ...follower }).toEqual(knownTree(model, front));
        };
        ensure(model);
        commit();
        for (const [name, choice] of sequence) {
          OPERATIONS[name]?.(model, choice);
          commit();
        }
      }),
      { numRuns: 100, examples: [[RESTORED_WINDOW]] },
    );
  });

  it('taking back restores all that was before', () => {
    fc.assert(
      fc.property(steps, steps, (before, undone) => {
        const { model } = emptyModel();
        ensure(model);
        for (const [name, choice] of before) OPERATIONS[name]?.(model, choice);
        accept(model);
        const expected = contents(model);
        for (const [name, choice] of undone) OPERATIONS[name]?.(model, choice);
        for (const table of Object.values(model.tables())) table.revert();
        expect(contents(model)).toEqual(expected);
        expect(breaches(model, PANE_CAP)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
