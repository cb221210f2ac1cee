import type { SurfaceRecord, WorkspaceRecord } from './entities.js';
import type { Model } from './model.js';
import { basename } from './paths.js';

/** Longer titles are a program's mistake; they would only swell every list. */
const TITLE_LIMIT = 1000;

/** Custom title, else the one its program set, else what it runs (programa-api §6.5). */
export function surfaceTitle(surface: SurfaceRecord): string {
  if (surface.customTitle !== null) return surface.customTitle;
  if (surface.processTitle !== null) return surface.processTitle;
  if (surface.type === 'review') return `Review: ${basename(surface.launch.cwd)}`;
  const program = surface.launch.argv?.[0];
  return program === undefined ? 'Terminal' : basename(program);
}

/**
 * Custom title, else that of the focused surface, else "Terminal N". The title of a surface without focus is kept with
 * it and shows as soon as it gets the focus (programa-api §6.5).
 */
export function workspaceTitle(model: Model, workspace: WorkspaceRecord): string {
  if (workspace.customTitle !== null) return workspace.customTitle;
  const focused = model.focusedSurface(workspace);
  return focused.customTitle ?? focused.processTitle ?? workspace.defaultTitle;
}

/** Takes over a title that a program set; an empty one means none. Answers whether anything changed. */
export function setProcessTitle(model: Model, surface: SurfaceRecord, title: string | null): boolean {
  const next = title === null || title.trim() === '' ? null : title.slice(0, TITLE_LIMIT);
  if (next === surface.processTitle) return false;
  model.patchSurface(surface.id, { processTitle: next });
  return true;
}
