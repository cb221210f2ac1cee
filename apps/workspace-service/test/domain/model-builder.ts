import { createTab, createWindow, createWorkspace, type NewTerminal } from '../../src/domain/creating.js';
import { Model } from '../../src/domain/model.js';

export const SHELL: NewTerminal = { launch: { argv: null, cwd: '/home', env: {} }, host: 'local' };

/** A model whose ids count up and whose clock stands still until it is moved. */
export function emptyModel(): { model: Model; clock: { now: number } } {
  const clock = { now: 1000 };
  let count = 0;
  const newId = () => `00000000-0000-4000-8000-${(++count).toString(16).padStart(12, '0').toUpperCase()}`;
  return { model: new Model({ newId, now: () => clock.now }), clock };
}

/** One window, one workspace, one terminal. */
export function smallModel() {
  const { model, clock } = emptyModel();
  const { window, surface } = createWindow(model, SHELL);
  const workspaceId = window.selectedId;
  return {
    model,
    clock,
    windowId: window.id,
    workspaceId,
    surfaceId: surface.id,
    paneId: surface.paneId,
    addWorkspace: (title?: string) => createWorkspace(model, window.id, 'after-current', { title }, SHELL).workspace.id,
    addTab: (paneId = surface.paneId) => createTab(model, paneId, SHELL).id,
    tabs: (paneId = surface.paneId) => model.pane(paneId).surfaceIds,
    order: () => model.window(window.id).workspaceIds,
  };
}
