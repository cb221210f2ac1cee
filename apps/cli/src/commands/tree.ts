import type { Result } from '@switchyard/protocol';
import type { Run } from '../command.js';
import { cleanText } from '../domain/clean-text.js';
import type { Output } from '../output.js';

type Tree = Result<'system.tree'>;
type Workspace = Tree['windows'][number]['workspaces'][number];
type Pane = Workspace['panes'][number];

export const tree: Run = async (context) => {
  const whole = await context.call('system.tree', { all_windows: true });
  context.out.result(whole, ({ windows }) =>
    windows.flatMap((window) => [
      `${window.ref}${mark(window.key, ' *')}`,
      ...window.workspaces.flatMap((workspace) => workspaceLines(context.out, workspace)),
    ]),
  );
};

function workspaceLines(out: Output, workspace: Workspace): string[] {
  const title = out.paint('bold', cleanText(workspace.title));
  const marks = `${mark(workspace.selected, ' *')}${mark(workspace.pinned, ' pinned')}`;
  return [`  ${workspace.ref} ${title}${marks}`, ...workspace.panes.flatMap(paneLines)];
}

function paneLines(pane: Pane): string[] {
  return [
    `    ${pane.ref}${mark(pane.focused, ' *')}`,
    ...pane.surfaces.map(
      (surface) =>
        `      ${surface.ref} ${cleanText(surface.title)}${mark(surface.selected_in_pane, ' *')}${mark(surface.type !== 'terminal', ` (${surface.type})`)}`,
    ),
  ];
}

function mark(on: boolean, text: string): string {
  return on ? text : '';
}
