import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

let yard: FakeYard;
const start = async (options?: YardOptions) => {
  yard = await startFakeYard(options);
};
afterEach(() => yard.end());

const surfaces = async (workspace_id?: string) => (await yard.call('surface.list', { workspace_id })).surfaces;
const surfaceIds = async (workspace_id?: string) => (await surfaces(workspace_id)).map(({ id }) => id);
const panes = async (workspace_id?: string) => (await yard.call('pane.list', { workspace_id })).panes;
const workspaces = async (window_id?: string) => (await yard.call('workspace.list', { window_id })).workspaces;
const current = async () => (await yard.call('workspace.current', {})).workspace_id;
const focusedId = async () => (await surfaces()).find(({ focused }) => focused)?.id;
const refused = (code: string) => expect.objectContaining({ code });

describe('a fresh yard', () => {
  it('has one window with one workspace with one terminal, which runs the shell of the user', async () => {
    await start();
    const { windows } = await yard.call('window.list', {});
    expect(windows).toMatchObject([{ ref: 'window:1', index: 0, key: true, workspace_count: 1 }]);
    expect(await workspaces()).toMatchObject([{ ref: 'workspace:1', title: 'Terminal 1', selected: true }]);
    const [surface] = await surfaces();
    expect(surface).toMatchObject({ ref: 'surface:1', type: 'terminal', focused: true, cwd: '/home/someone' });
    expect(yard.host.opened(surface?.id ?? '')).toMatchObject({ argv: ['/bin/sh'], cols: 200, rows: 50 });
    expect(yard.host.spawns).toBe(1);
  });

  it('lists no snapshots and restores none', async () => {
    await start();
    expect(await yard.call('snapshot.list', {})).toEqual({ snapshots: [], last_restore: null });
    await expect(yard.call('snapshot.restore', { id: 'nope' })).rejects.toEqual(refused('not_found'));
  });

  it('knows browsers, each with a key of its own', async () => {
    await start();
    const { browsers } = await yard.call('app.browsers', {});
    expect(browsers.length).toBeGreaterThan(3);
    expect(new Set(browsers.map(({ key }) => key)).size).toBe(browsers.length);
    expect(browsers.every(({ bundle_id, running, installed }) => bundle_id !== '' && (!running || installed))).toBe(
      true,
    );
  });
});

describe('handles', () => {
  it('are taken as ids in any case and as refs, with tab:N for surface:N', async () => {
    await start();
    const { workspace_id, surface_id } = await yard.call('workspace.create', {});
    for (const handle of [surface_id, surface_id.toLowerCase(), 'surface:2', 'tab:2', 'SURFACE:2']) {
      const answer = await yard.call('surface.trigger_flash', { surface_id: handle });
      expect(answer).toMatchObject({ workspace_id, surface_id, surface_ref: 'surface:2' });
    }
  });

  it('of an unknown surface are not_found when typing, with and without a workspace (acceptance 2)', async () => {
    await start();
    const surface_id = randomUUID();
    const text = 'echo hi';
    await expect(yard.call('surface.send_text', { surface_id, text })).rejects.toEqual(refused('not_found'));
    const workspace_id = await current();
    await expect(yard.call('surface.send_text', { workspace_id, surface_id, text })).rejects.toEqual(
      refused('not_found'),
    );
  });

  it('that are none are not_found when typing, and as good as absent where optional', async () => {
    await start();
    const surface_id = 'not-a-handle';
    for (const [method, more] of [
      ['surface.send_text', { text: 'x' }],
      ['surface.send_key', { key: 'enter' }],
      ['surface.read_text', {}],
      ['surface.clear_history', {}],
    ] as const) {
      await expect(yard.call(method, { surface_id, ...more }), method).rejects.toEqual(refused('not_found'));
    }
    expect(await yard.call('surface.trigger_flash', { surface_id })).toMatchObject({ surface_ref: 'surface:1' });
    await expect(yard.call('surface.focus', { surface_id })).rejects.toEqual(refused('invalid_params'));
  });

  it('of an unknown surface are not_found for every other method that takes one (decision 8)', async () => {
    await start();
    const surface_id = randomUUID();
    for (const method of [
      'surface.list',
      'surface.create',
      'surface.close',
      'surface.trigger_flash',
      'pane.list',
    ] as const) {
      await expect(yard.call(method, { surface_id }), method).rejects.toEqual(refused('not_found'));
    }
  });

  it('of an unknown window are unavailable, of a workspace elsewhere not_found', async () => {
    await start();
    await expect(yard.call('workspace.list', { window_id: randomUUID() })).rejects.toEqual(refused('unavailable'));
    const workspace_id = await current();
    const { window_id } = await yard.call('window.create', {});
    await expect(yard.call('surface.list', { window_id, workspace_id })).rejects.toEqual(refused('not_found'));
  });
});

describe('workspaces', () => {
  it('are created unselected after the selected one, and their terminal starts at once', async () => {
    await start();
    const home = await current();
    const a = await yard.call('workspace.create', { title: 'A' });
    const b = await yard.call('workspace.create', { initial_command: 'make', cwd: '/tmp', initial_env: { X: '1' } });
    expect((await workspaces()).map(({ id }) => id)).toEqual([home, b.workspace_id, a.workspace_id]);
    expect(await current()).toBe(home);
    const opened = yard.host.opened(b.surface_id);
    expect(opened).toMatchObject({ argv: ['/bin/sh', '-c', 'make'], cwd: '/tmp' });
    expect(opened.env).toMatchObject({ X: '1', SWITCHYARD_SURFACE_ID: b.surface_id, TERM: 'xterm-256color' });
    expect((await surfaces(b.workspace_id))[0]?.cwd).toBe('/tmp');
  });

  it('give the selection to the one that moves into a closed one’s place, else to the last', async () => {
    await start();
    await yard.call('workspace.create', {});
    await yard.call('workspace.create', {});
    const [first, second, third] = (await workspaces()).map(({ id }) => id);
    await yard.call('workspace.select', { workspace_id: second });
    await yard.call('workspace.close', { workspace_id: second });
    expect(await current()).toBe(third);
    await yard.call('workspace.close', { workspace_id: third });
    expect(await current()).toBe(first);
  });

  it('refuse to be closed when pinned or when they are the window’s only one', async () => {
    await start();
    const workspace_id = await current();
    await expect(yard.call('workspace.close', { workspace_id })).rejects.toEqual(refused('invalid_state'));
    await yard.call('workspace.create', {});
    await yard.call('workspace.action', { workspace_id, action: 'pin' });
    await expect(yard.call('workspace.close', { workspace_id })).rejects.toEqual(refused('protected'));
  });

  it('move to another window with the same surfaces, unselected; the old window never stays empty', async () => {
    await start();
    const home = await current();
    await yard.call('surface.split', { direction: 'right' });
    const before = await surfaceIds(home);
    const other = await yard.call('window.create', {});
    await yard.call('workspace.move_to_window', { workspace_id: home, window_id: other.window_id, focus: true });
    expect(await surfaceIds(home)).toEqual(before);
    expect((await workspaces(other.window_id)).map(({ id, selected }) => [id, selected])).toContainEqual([home, false]);
    const [left] = await workspaces('window:1');
    expect(left?.id).not.toBe(home);
    await yard.call('workspace.select', { workspace_id: home });
    const { focused } = await yard.call('system.identify', {});
    expect(focused).toMatchObject({ window_id: other.window_id, workspace_id: home });
    expect((await yard.call('surface.health', { workspace_id: home })).surfaces.every((row) => row.in_window)).toBe(
      true,
    );
  });

  it('are walked back through with workspace.last, which is no toggle', async () => {
    await start();
    const home = await current();
    const a = (await yard.call('workspace.create', {})).workspace_id;
    const b = (await yard.call('workspace.create', {})).workspace_id;
    for (const workspace_id of [a, b]) await yard.call('workspace.select', { workspace_id });
    expect((await yard.call('workspace.last', {})).workspace_id).toBe(a);
    expect((await yard.call('workspace.last', {})).workspace_id).toBe(home);
    await expect(yard.call('workspace.last', {})).rejects.toEqual(refused('not_found'));
  });
});

describe('panes and tabs', () => {
  it('refuse the fifth pane with compat, and say so natively at the set cap (decision 3)', async () => {
    await start({ compat: true });
    for (const direction of ['right', 'down', 'right']) await yard.call('surface.split', { direction });
    await expect(yard.call('surface.split', { direction: 'right' })).rejects.toEqual(refused('internal_error'));
    expect(await panes()).toHaveLength(4);
    expect(yard.host.spawns).toBe(4);
    await yard.end();
    await start({ paneCap: 2 });
    await yard.call('surface.split', { direction: 'right' });
    await expect(yard.call('pane.create', { direction: 'down' })).rejects.toEqual(refused('invalid_state'));
  });

  it('give both halves of a split their width, the old terminal before the reply', async () => {
    await start();
    const [first] = await surfaceIds();
    const { surface_id } = await yard.call('surface.split', { direction: 'right' });
    expect(yard.host.size(first ?? '')).toEqual({ cols: 100, rows: 50 });
    expect(yard.host.size(surface_id)).toEqual({ cols: 100, rows: 50 });
    expect(await panes()).toMatchObject([
      { columns: 100, rows: 50, pixel_frame: { x: 0, y: 0, width: 800, height: 800 } },
      { columns: 100, rows: 50, pixel_frame: { x: 800, y: 0, width: 800, height: 800 } },
    ]);
    await yard.call('surface.close', { surface_id });
    expect(yard.host.size(first ?? '')).toEqual({ cols: 200, rows: 50 });
  });

  it('select the next tab at the closed one’s index, else the previous', async () => {
    await start();
    for (let i = 0; i < 3; i++) await yard.call('surface.create', { type: 'terminal' });
    const [, second, third] = await surfaceIds();
    await yard.call('surface.focus', { surface_id: second });
    await yard.call('surface.close', {});
    expect(await focusedId()).toBe(third);
    const left = await surfaceIds();
    await yard.call('surface.focus', { surface_id: left[2] });
    await yard.call('surface.close', {});
    expect(await focusedId()).toBe(left[1]);
  });

  it('keep the selection for a new tab in the focused pane and show it in another', async () => {
    await start();
    const [left] = await panes();
    const { pane_id: right } = await yard.call('surface.split', { direction: 'right' });
    const here = await yard.call('surface.create', { pane_id: right });
    const there = await yard.call('surface.create', { pane_id: left?.id });
    const rows = await surfaces();
    expect(rows.find(({ id }) => id === here.surface_id)?.selected_in_pane).toBe(false);
    expect(rows.find(({ id }) => id === there.surface_id)?.selected_in_pane).toBe(true);
  });

  it('move and reorder with the same id and the same process', async () => {
    await start();
    const [left] = await panes();
    await yard.call('surface.split', { direction: 'right' });
    const { surface_id } = await yard.call('surface.create', {});
    await yard.call('surface.move', { surface_id, pane_id: left?.id, focus: false });
    const tabs = async (pane_id: string | undefined) =>
      (await yard.call('pane.surfaces', { pane_id })).surfaces.map(({ id }) => id);
    const moved = await tabs(left?.id);
    expect(moved).toHaveLength(2);
    await yard.call('surface.reorder', { surface_id, before_surface_id: moved[0] });
    expect(await tabs(left?.id)).toEqual([surface_id, moved[0]]);
    expect(yard.host.spawns).toBe(3);
    await expect(yard.call('surface.reorder', { surface_id, index: true })).rejects.toEqual(refused('invalid_params'));
    await expect(yard.call('surface.reorder', { surface_id, index: 1.5 })).rejects.toEqual(refused('invalid_params'));
    await expect(yard.call('surface.reorder', { surface_id })).rejects.toEqual(refused('invalid_params'));
  });

  it('keep the focused pane and the selected workspace in pane.swap and pane.break', async () => {
    await start();
    const workspace_id = await current();
    await yard.call('surface.split', { direction: 'right' });
    const [left, right] = await panes();
    await yard.call('pane.focus', { pane_id: left?.id });
    await yard.call('pane.swap', { pane_id: left?.id, target_pane_id: right?.id });
    expect((await panes()).map(({ focused }) => focused)).toEqual([true, false]);
    expect((await panes()).map(({ surface_refs }) => surface_refs)).toEqual([['surface:2'], ['surface:1']]);
    const broken = await yard.call('pane.break', { pane_id: left?.id });
    expect(broken.workspace_id).not.toBe(workspace_id);
    expect(broken.surface_ref).toBe('surface:2');
    expect(await current()).toBe(workspace_id);
    await yard.call('pane.join', { target_pane_id: right?.id, surface_id: broken.surface_id });
    expect((await workspaces()).map(({ id }) => id)).toEqual([workspace_id]);
    expect(await surfaceIds()).toHaveLength(2);
  });

  it('leave a fresh terminal behind when a pane’s only tab is dragged out', async () => {
    await start();
    const [surface_id] = await surfaceIds();
    const dragged = await yard.call('surface.drag_to_split', { surface_id, direction: 'left' });
    const [first, second] = await panes();
    expect(first).toMatchObject({ id: dragged.pane_id, surface_ids: [surface_id], focused: true });
    expect(second?.surface_count).toBe(1);
  });

  it('resize by pixels, and say when there is no border on that side', async () => {
    await start();
    const { pane_id } = await yard.call('surface.split', { direction: 'right' });
    const moved = await yard.call('pane.resize', { pane_id, direction: 'left', amount: 160 });
    expect(moved).toMatchObject({ old_divider_position: 0.5, new_divider_position: 0.4 });
    expect((await panes()).map(({ columns }) => columns)).toEqual([80, 120]);
    await expect(yard.call('pane.resize', { pane_id, direction: 'right' })).rejects.toEqual(refused('invalid_state'));
    await expect(yard.call('pane.resize', { pane_id, direction: 'left', amount: true })).rejects.toEqual(
      refused('invalid_params'),
    );
  });

  it('split the focused surface when the one named is unknown (decision 8)', async () => {
    await start();
    const { surface_id } = await yard.call('surface.split', { direction: 'r', surface_id: randomUUID() });
    expect(await focusedId()).toBe(surface_id);
  });

  it('answer the first other pane to pane.last', async () => {
    await start();
    await expect(yard.call('pane.last', {})).rejects.toEqual(refused('not_found'));
    await yard.call('surface.split', { direction: 'right' });
    expect((await yard.call('pane.last', {})).pane_ref).toBe('pane:1');
  });

  it('refuse kinds of surface that need a screen', async () => {
    await start();
    await expect(yard.call('surface.create', { type: 'browser' })).rejects.toEqual(refused('not_supported'));
  });
});

describe('titles', () => {
  it('of a workspace follow the focused surface; another’s title waits until it has the focus (§6.5)', async () => {
    await start();
    const [first] = await surfaceIds();
    const { surface_id: second } = await yard.call('surface.split', { direction: 'right' });
    const title = async () => (await workspaces())[0]?.title;
    yard.host.bus?.emit('terminal.title_changed', { surface_id: first ?? '', title: 'ONE' });
    expect(await title()).toBe('Terminal 1');
    yard.host.bus?.emit('terminal.title_changed', { surface_id: second, title: 'TWO' });
    expect(await title()).toBe('TWO');
    await yard.call('surface.focus', { surface_id: first });
    expect(await title()).toBe('ONE');
    await yard.call('workspace.rename', { workspace_id: await current(), title: 'Mine' });
    expect(await title()).toBe('Mine');
    expect((await yard.call('workspace.action', { action: 'clear-name' })).title).toBe('ONE');
  });

  it('given to a tab win over its program’s', async () => {
    await start();
    const renamed = await yard.call('tab.action', { tab_id: 'tab:1', action: 'rename', title: 'Mine' });
    expect(renamed).toMatchObject({ action: 'rename', title: 'Mine', tab_ref: 'tab:1', surface_ref: 'surface:1' });
    expect(await surfaces()).toMatchObject([{ title: 'Mine', custom_title: 'Mine' }]);
  });
});

describe('the debugging namespace', () => {
  it('draws the layout, counts flashes and knows who is in front', async () => {
    await start();
    const [surface_id = ''] = await surfaceIds();
    await yard.call('surface.split', { direction: 'right' });
    await yard.call('surface.split', { direction: 'right' });
    const { layout } = await yard.call('debug.layout', {});
    expect(layout.layout.panes).toHaveLength(3);
    expect(layout.selectedPanels.every(({ viewFrame }) => (viewFrame?.width ?? 0) >= 80)).toBe(true);
    await yard.call('surface.trigger_flash', { surface_id });
    expect(await yard.call('debug.flash.count', { surface_id })).toEqual({ count: 1 });
    expect(await yard.call('debug.terminal.is_focused', { surface_id })).toEqual({ focused: false });
    await yard.call('surface.focus', { surface_id });
    expect(await yard.call('debug.terminal.is_focused', { surface_id: 0 })).toEqual({ focused: true });
    await yard.call('debug.type', { text: 'abc' });
    expect((await yard.call('debug.terminal.render_stats', { surface_id })).stats).toMatchObject({ presentCount: 3 });
    expect(await yard.call('debug.bonsplit_underflow.count', {})).toEqual({ count: 0 });
    expect((await yard.call('debug.terminals', {})).count).toBe(3);
  });
});

describe('the tree', () => {
  it('shows the active window, a branch, or all windows, and where the caller is', async () => {
    await start();
    const { surface_id, workspace_id } = await yard.call('workspace.create', {});
    await yard.call('window.create', {});
    const tree = await yard.call('system.tree', { caller: { surface_id } });
    expect(tree.windows).toHaveLength(1);
    expect(tree.caller).toMatchObject({ workspace_id, surface_id });
    expect((await yard.call('system.tree', { all_windows: true })).windows).toHaveLength(2);
    const branch = await yard.call('system.tree', { workspace_id });
    expect(branch.windows).toMatchObject([{ workspace_count: 1, workspaces: [{ id: workspace_id }] }]);
    const lost = await yard.call('system.identify', { caller: { workspace_id, surface_id: randomUUID() } });
    expect(lost.caller).toMatchObject({ workspace_id, surface_id: null, pane_id: null, surface_type: null });
    const nobody = await yard.call('system.identify', { caller: { workspace_id: randomUUID() } });
    expect(nobody.caller).toBeNull();
  });
});
