import { describe, expect, it } from 'vitest';
import { removeSurface, removeWorkspace } from '../../src/domain/closing.js';
import { createSplit, createWindow, createWorkspace } from '../../src/domain/creating.js';
import { focusInside, focusSurface, selectLast, selectWorkspace } from '../../src/domain/focus.js';
import { breakOut, moveSurface, reorderSurface, reorderWorkspace, swapPanes } from '../../src/domain/moving.js';
import { at } from '../../src/domain/resolve.js';
import { leaves } from '../../src/domain/split-tree.js';
import { performTabAction } from '../../src/domain/tab-actions.js';
import { setProcessTitle, surfaceTitle, workspaceTitle } from '../../src/domain/titles.js';
import { performWorkspaceAction } from '../../src/domain/workspace-actions.js';
import { SHELL, smallModel } from './model-builder.js';

const refused = (code: string) => expect.objectContaining({ code });

describe('focus (§6.2)', () => {
  it('inside a workspace leaves its selection alone', () => {
    const { model, windowId, addWorkspace, workspaceId } = smallModel();
    const other = addWorkspace();
    const pane = model.workspace(other).focusedPaneId;
    const surface = createSplit(model, pane, 'right', SHELL, true);
    expect(model.workspace(other).focusedPaneId).toBe(surface.paneId);
    expect(model.window(windowId).selectedId).toBe(workspaceId);
  });

  it('on a surface selects its workspace and its window', () => {
    const { model, surfaceId, windowId, workspaceId } = smallModel();
    const other = createWindow(model, SHELL).window;
    expect(model.yard.activeWindowId).toBe(other.id);
    focusSurface(model, surfaceId);
    expect(model.yard.activeWindowId).toBe(windowId);
    expect(model.window(windowId).selectedId).toBe(workspaceId);
  });

  it('marks what is looked at as read', () => {
    const { model, surfaceId, workspaceId, addWorkspace } = smallModel();
    addWorkspace();
    model.patchSurface(surfaceId, { unread: true });
    model.patchWorkspace(workspaceId, { unread: true });
    selectWorkspace(model, workspaceId);
    expect([model.surface(surfaceId).unread, model.workspace(workspaceId).unread]).toEqual([false, false]);
  });

  it('remembers the last fifty selections and skips closed workspaces on the way back', () => {
    const { model, windowId, workspaceId, addWorkspace } = smallModel();
    const [a, b] = [addWorkspace(), addWorkspace()];
    for (let i = 0; i < 60; i++) selectWorkspace(model, i % 2 === 0 ? a : b);
    expect(model.window(windowId).history).toHaveLength(50);
    removeWorkspace(model, model.workspace(a));
    expect(() => selectLast(model, windowId)).toThrow(refused('not_found'));
    selectWorkspace(model, workspaceId);
    expect(selectLast(model, windowId).id).toBe(b);
  });
});

describe('placement (§6.3)', () => {
  it('puts a workspace after the selected one, on top, or at the end, behind the pinned ones', () => {
    const { model, windowId, workspaceId, order } = smallModel();
    const add = (place: 'top' | 'after-current' | 'end') =>
      createWorkspace(model, windowId, place, {}, SHELL).workspace.id;
    const a = add('after-current');
    const b = add('after-current');
    const c = add('end');
    const d = add('top');
    expect(order()).toEqual([d, workspaceId, b, a, c]);
    const place = { window: model.window(windowId), workspace: model.workspace(c) };
    performWorkspaceAction(model, place, 'pin', {});
    expect(order()).toEqual([c, d, workspaceId, b, a]);
    const e = add('top');
    expect(order().slice(0, 2)).toEqual([c, e]);
  });

  it('numbers the default titles by how many there are', () => {
    const { model, workspaceId, addWorkspace } = smallModel();
    const second = addWorkspace();
    expect([workspaceId, second].map((id) => workspaceTitle(model, model.workspace(id)))).toEqual([
      'Terminal 1',
      'Terminal 2',
    ]);
  });

  it('puts a tab right after the selected one', () => {
    const { addTab, tabs, surfaceId } = smallModel();
    const [a, b] = [addTab(), addTab()];
    expect(tabs()).toEqual([surfaceId, b, a]);
  });

  it('keeps pinned tabs in front, whatever is moved', () => {
    const { model, addTab, tabs, surfaceId } = smallModel();
    const [a, b] = [addTab(), addTab()];
    performTabAction(model, at(model, a), 'pin');
    expect(tabs()).toEqual([a, surfaceId, b]);
    reorderSurface(model, model.surface(b), { index: 0 });
    expect(tabs()).toEqual([a, b, surfaceId]);
    performTabAction(model, at(model, surfaceId), 'pin');
    expect(tabs()).toEqual([a, surfaceId, b]);
    performTabAction(model, at(model, a), 'unpin');
    expect(tabs()).toEqual([surfaceId, a, b]);
  });
});

describe('closing (§6.4)', () => {
  it('selects the tab that takes the index, else the previous', () => {
    const { model, addTab, tabs, paneId } = smallModel();
    addTab();
    addTab();
    const [first, second, third] = tabs() as [string, string, string];
    focusInside(model, second);
    removeSurface(model, model.surface(second));
    expect(model.pane(paneId).selectedId).toBe(third);
    removeSurface(model, model.surface(third));
    expect(model.pane(paneId).selectedId).toBe(first);
  });

  it('keeps the selection when another tab goes', () => {
    const { model, addTab, paneId, surfaceId } = smallModel();
    const other = addTab();
    removeSurface(model, model.surface(other));
    expect(model.pane(paneId).selectedId).toBe(surfaceId);
  });

  it('removes an empty pane and focuses the first leaf of its sibling', () => {
    const { model, paneId, workspaceId, surfaceId } = smallModel();
    const right = createSplit(model, paneId, 'right', SHELL, false);
    createSplit(model, right.paneId, 'down', SHELL, false);
    removeSurface(model, model.surface(surfaceId));
    const { tree, focusedPaneId } = model.workspace(workspaceId);
    expect(leaves(tree)[0]).toBe(right.paneId);
    expect(focusedPaneId).toBe(right.paneId);
    expect(model.panes.has(paneId)).toBe(false);
  });

  it('goes on to the workspace and the window, and names all that went', () => {
    const { model, surfaceId, workspaceId, windowId } = smallModel();
    const second = createWindow(model, SHELL).window.id;
    const removed = removeSurface(model, model.surface(surfaceId));
    expect(removed.departed.map(({ surface }) => surface.id)).toEqual([surfaceId]);
    expect(removed).toMatchObject({ workspaceIds: [workspaceId], windowIds: [windowId] });
    expect(model.yard).toMatchObject({ windowIds: [second], activeWindowId: second });
  });

  it('gives the front to the window that takes the index of a closed active one', () => {
    const { model, windowId, surfaceId } = smallModel();
    const b = createWindow(model, SHELL).window.id;
    createWindow(model, SHELL);
    model.patchYard({ activeWindowId: windowId });
    removeSurface(model, model.surface(surfaceId));
    expect(model.yard.activeWindowId).toBe(b);
  });
});

describe('moving (§5.4, §5.7)', () => {
  it('focuses the moved tab inside its own workspace only', () => {
    const { model, paneId, addTab, addWorkspace, workspaceId } = smallModel();
    const right = createSplit(model, paneId, 'right', SHELL, false);
    const tab = addTab();
    moveSurface(model, tab, right.paneId);
    expect(model.workspace(workspaceId).focusedPaneId).toBe(right.paneId);
    expect(model.pane(right.paneId).selectedId).toBe(tab);
    const other = model.workspace(addWorkspace());
    const selected = model.pane(other.focusedPaneId).selectedId;
    moveSurface(model, tab, other.focusedPaneId);
    expect(model.pane(other.focusedPaneId)).toMatchObject({ selectedId: selected, surfaceIds: [selected, tab] });
  });

  it('takes the workspace along with its last surface', () => {
    const { model, surfaceId, workspaceId, addWorkspace, order } = smallModel();
    const other = addWorkspace();
    const left = moveSurface(model, surfaceId, model.workspace(other).focusedPaneId, 0);
    expect(left).toEqual({ workspaceId, windowId: null });
    expect(order()).toEqual([other]);
    expect(model.surfacesIn(model.workspace(other)).map(({ id }) => id)[0]).toBe(surfaceId);
  });

  it('swaps what panes show, not which one is focused', () => {
    const { model, paneId, surfaceId, workspaceId } = smallModel();
    const right = createSplit(model, paneId, 'right', SHELL, false);
    swapPanes(model, model.pane(paneId), model.pane(right.paneId));
    expect(model.pane(paneId).surfaceIds).toEqual([right.id]);
    expect(model.surface(surfaceId).paneId).toBe(right.paneId);
    expect(model.workspace(workspaceId).focusedPaneId).toBe(paneId);
  });

  it('breaks a tab out into a workspace of its own, but not one that is alone already', () => {
    const { model, addTab, windowId, workspaceId, order } = smallModel();
    const tab = addTab();
    const pane = breakOut(model, model.surface(tab), 'after-current');
    expect(order()).toEqual([workspaceId, pane.workspaceId]);
    expect(model.window(windowId).selectedId).toBe(workspaceId);
    expect(() => breakOut(model, model.surface(tab), 'end')).toThrow(refused('invalid_state'));
  });

  it('reorders workspaces by index, before and after another', () => {
    const { model, workspaceId: w, addWorkspace, order } = smallModel();
    const b = addWorkspace();
    const a = addWorkspace();
    expect(order()).toEqual([w, a, b]);
    expect(reorderWorkspace(model, model.workspace(b), { before: w })).toBe(0);
    expect(order()).toEqual([b, w, a]);
    expect(reorderWorkspace(model, model.workspace(b), { after: a })).toBe(2);
    expect(reorderWorkspace(model, model.workspace(b), { index: 99 })).toBe(2);
    expect(reorderWorkspace(model, model.workspace(b), { index: -5 })).toBe(0);
  });
});

describe('titles (§6.5)', () => {
  it('of a surface are custom, else its program’s, else what it runs', () => {
    const { model, surfaceId } = smallModel();
    const title = () => surfaceTitle(model.surface(surfaceId));
    expect(title()).toBe('Terminal');
    model.patchSurface(surfaceId, { launch: { ...SHELL.launch, argv: ['/usr/bin/make', 'all'] } });
    expect(title()).toBe('make');
    expect(setProcessTitle(model, model.surface(surfaceId), 'vim')).toBe(true);
    expect(setProcessTitle(model, model.surface(surfaceId), 'vim')).toBe(false);
    expect(title()).toBe('vim');
    model.patchSurface(surfaceId, { customTitle: 'Mine' });
    expect(title()).toBe('Mine');
  });

  it('of a workspace are custom, else those of the focused surface', () => {
    const { model, surfaceId, workspaceId, paneId } = smallModel();
    const title = () => workspaceTitle(model, model.workspace(workspaceId));
    const right = createSplit(model, paneId, 'right', SHELL, true);
    setProcessTitle(model, model.surface(surfaceId), 'one');
    expect(title()).toBe('Terminal 1');
    setProcessTitle(model, model.surface(right.id), 'two');
    expect(title()).toBe('two');
    focusInside(model, surfaceId);
    expect(title()).toBe('one');
    setProcessTitle(model, model.surface(surfaceId), '   ');
    expect(title()).toBe('Terminal 1');
    model.patchWorkspace(workspaceId, { customTitle: 'Mine' });
    expect(title()).toBe('Mine');
  });
});

describe('actions of a workspace (§5.3)', () => {
  const act = (
    { model, windowId }: ReturnType<typeof smallModel>,
    workspaceId: string,
    action: Parameters<typeof performWorkspaceAction>[2],
    given: Parameters<typeof performWorkspaceAction>[3] = {},
  ) =>
    performWorkspaceAction(
      model,
      { window: model.window(windowId), workspace: model.workspace(workspaceId) },
      action,
      given,
    );

  it('move it, and answer where it is', () => {
    const small = smallModel();
    const b = small.addWorkspace();
    expect(act(small, b, 'move_up').field).toEqual({ index: 0 });
    expect(act(small, b, 'move_up').field).toEqual({ index: 0 });
    expect(act(small, b, 'move_down').field).toEqual({ index: 1 });
    expect(act(small, b, 'move_top').field).toEqual({ index: 0 });
  });

  it('close others but skip pinned ones', () => {
    const small = smallModel();
    const [b, c] = [small.addWorkspace(), small.addWorkspace()];
    act(small, b, 'pin');
    const { field, removed } = act(small, small.workspaceId, 'close_others');
    expect(field).toEqual({ closed: 1 });
    expect(removed.flatMap(({ workspaceIds }) => workspaceIds)).toEqual([c]);
    expect(small.order()).toEqual([b, small.workspaceId]);
  });

  it('name it, describe it and colour it', () => {
    const small = smallModel();
    const { workspaceId: id } = small;
    expect(act(small, id, 'rename', { title: 'T' }).field).toEqual({ title: 'T' });
    expect(act(small, id, 'clear_name').field).toEqual({ title: 'Terminal 1' });
    expect(act(small, id, 'set_description', { description: 'd' }).field).toEqual({ description: 'd' });
    expect(act(small, id, 'clear_description').field).toEqual({ description: null });
    expect(act(small, id, 'set_color', { color: '#00ff00' }).field).toEqual({ color: '#00FF00' });
    expect(() => act(small, id, 'set_color', { color: 'mauve' })).toThrow(refused('invalid_params'));
    expect(act(small, id, 'clear_color').field).toEqual({ color: null });
    expect(() => act(small, id, 'rename')).toThrow(refused('invalid_params'));
  });
});

describe('actions of a tab (§5.4)', () => {
  it('name the tabs to close and count the pinned ones that stay', () => {
    const { model, addTab, surfaceId } = smallModel();
    const [a, b] = [addTab(), addTab()];
    performTabAction(model, at(model, a), 'pin');
    expect(performTabAction(model, at(model, surfaceId), 'close_others')).toMatchObject({
      is: 'close',
      surfaces: [{ id: b }],
      skippedPinned: 1,
    });
  });

  it('refuse what only browsers can do', () => {
    const { model, surfaceId } = smallModel();
    expect(() => performTabAction(model, at(model, surfaceId), 'reload')).toThrow(refused('invalid_state'));
    expect(() => performTabAction(model, at(model, surfaceId), 'new_browser_right')).toThrow(refused('not_supported'));
  });
});

describe('the cost of a change', () => {
  it('is the records it touches, however many there are', () => {
    const small = smallModel();
    const { model } = small;
    const written = (change: () => void) => {
      for (const table of Object.values(model.tables())) table.accept();
      change();
      return Object.values(model.tables()).reduce((sum, table) => {
        const { put, removed } = table.changes();
        return sum + put.length + removed.length;
      }, 0);
    };
    const tenth = { tab: written(() => small.addTab()), workspace: written(() => small.addWorkspace()) };
    for (let i = 0; i < 300; i++) (i % 2 === 0 ? small.addTab : small.addWorkspace)();
    expect(written(() => small.addTab())).toBe(tenth.tab);
    expect(written(() => small.addWorkspace())).toBe(tenth.workspace);
    expect(written(() => setProcessTitle(model, model.surface(small.surfaceId), 'x'))).toBe(1);
    expect(written(() => setProcessTitle(model, model.surface(small.surfaceId), 'x'))).toBe(0);
  });
});
