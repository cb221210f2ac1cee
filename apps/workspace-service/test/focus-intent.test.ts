import { contract, type MethodName } from '@switchyard/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

/**
 * Focus is decided by the name of a method, never by a `focus` parameter (programa-api decision 1, §6.2): each is called
 * on a workspace that is not selected, in a window that is not active.
 */
const CALLS: { [M in MethodName]?: Record<string, unknown> } = {
  'pane.resize': { pane_id: 'pane:2', workspace_id: 'workspace:2', direction: 'right' },
  'pane.swap': { pane_id: 'pane:2', target_pane_id: 'pane:3', focus: true },
  'workspace.create': { window_id: 'window:1' },
  'workspace.rename': { workspace_id: 'workspace:2', title: 'x' },
  'workspace.reorder': { workspace_id: 'workspace:2', index: 0 },
  'workspace.equalize_splits': { workspace_id: 'workspace:2' },
  'workspace.action': { workspace_id: 'workspace:2', action: 'pin' },
  'surface.split': { workspace_id: 'workspace:2', direction: 'right', focus: true },
  'surface.create': { workspace_id: 'workspace:2', focus: true },
  'surface.drag_to_split': { surface_id: 'surface:2', direction: 'down', focus: true },
  'surface.move': { surface_id: 'surface:3', index: 0, focus: true },
  'surface.reorder': { surface_id: 'surface:3', index: 0, focus: true },
  'surface.action': { surface_id: 'surface:2', action: 'new_terminal_right', focus: true },
  'tab.action': { surface_id: 'surface:2', action: 'rename', title: 'x' },
  'surface.close': { surface_id: 'surface:3' },
  'surface.reopen': {},
  'surface.trigger_flash': { surface_id: 'surface:2' },
  'surface.refresh': { workspace_id: 'workspace:2' },
  'surface.resize': { surface_id: 'surface:2', cols: 80, rows: 24 },
  'surface.send_text': { surface_id: 'surface:2', text: 'x' },
  'pane.create': { workspace_id: 'workspace:2', direction: 'right', focus: true },
  'pane.break': { surface_id: 'surface:3', focus: true },
  'pane.join': { surface_id: 'surface:3', target_pane_id: 'pane:2', focus: true },
  'debug.flash.reset': {},
  'debug.shortcut.set': { name: 'a', combo: 'b' },
};
const INTENTS: { [M in MethodName]?: Record<string, unknown> } = {
  'workspace.select': { workspace_id: 'workspace:2' },
  'workspace.next': { workspace_id: 'workspace:2' },
  'workspace.previous': { workspace_id: 'workspace:2' },
  'window.focus': { window_id: 'window:1' },
  'surface.focus': { surface_id: 'surface:2' },
  'pane.focus': { pane_id: 'pane:2' },
  'pane.last': { workspace_id: 'workspace:2' },
  'debug.notification.focus': { workspace_id: 'workspace:2' },
};

describe('the focus of windows and workspaces', () => {
  let yard: FakeYard;
  const where = async () => {
    const { windows } = await yard.call('window.list', {});
    return windows.map(({ id, key, selected_workspace_id }) => ({ id, key, selected_workspace_id }));
  };
  beforeEach(async () => {
    yard = await startFakeYard();
    await yard.call('workspace.create', {});
    await yard.call('surface.split', { workspace_id: 'workspace:2', direction: 'right' });
    await yard.call('surface.create', { workspace_id: 'workspace:2' });
    await yard.call('surface.close', { surface_id: 'surface:4' });
    await yard.call('window.create', {});
  });
  afterEach(() => yard.end());

  it.each(Object.entries(CALLS))('is not moved by %s, whatever `focus` says', async (method, params) => {
    const before = await where();
    expect(contract[method as MethodName].focusIntent).toBe(false);
    await yard.call(method as MethodName, params);
    expect(await where()).toEqual(before);
  });

  it.each(Object.entries(INTENTS))('is moved by %s', async (method, params) => {
    expect(contract[method as MethodName].focusIntent).toBe(true);
    await yard.call(method as MethodName, params);
    expect(await yard.call('window.current', {})).toMatchObject({ window_ref: 'window:1' });
  });

  it('is told to whoever marks things as read, also when it was there already', async () => {
    yard.bus.published.length = 0;
    await yard.call('surface.focus', { surface_id: 'surface:2' });
    await yard.call('surface.focus', { surface_id: 'surface:2' });
    await yard.call('surface.list', {});
    expect(yard.published('surface.focused')).toHaveLength(2);
  });
});
