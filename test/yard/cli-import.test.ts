import { processesMentioning, startTmux, type TmuxServer, tmuxMissing, waitFor } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const missing = tmuxMissing();
const title = `C14: importing from tmux${missing === undefined ? '' : ` (skipped: ${missing})`}`;

describe.skipIf(missing !== undefined)(title, () => {
  const yard = useYard();
  let server: TmuxServer;
  let refs: Record<string, string>;
  beforeAll(async () => {
    server = startTmux(yard().dir, 'sh');
    // A name that was given does not follow what runs there.
    server.run('rename-window', '-t', '%0', 'first');
    server.run('split-window', '-h', '-t', '%0', 'sh');
    server.run('new-window', '-d', '-n', 'second', 'sh');
    server.run('send-keys', '-t', '%0', 'seq 1 60; printf "h\\303\\244llo\\n"', 'Enter');
    await waitFor('it has printed', () => server.run('capture-pane', '-p', '-t', '%0').includes('hällo'));
    const { stdout } = await yard().cli('--json', 'import', '-S', server.socket, 'tmux');
    const imported: { pane: string; surface_ref: string; workspace_ref: string }[] = JSON.parse(stdout);
    // The last surface of a workspace cannot be closed.
    await yard().cli('new', '--workspace', imported[0]?.workspace_ref ?? '');
    refs = Object.fromEntries(imported.map(({ pane, surface_ref }) => [pane, surface_ref]));
  });
  afterAll(() => server.stop());

  it('C14: opens a workspace for each window and a tab for each pane, with history, screen and size', async () => {
    expect(Object.keys(refs)).toEqual(['%0', '%1', '%2']);
    const first = refs['%0'] ?? '';
    await yard().cli('wait', first, '--text', 'hällo');
    const { stdout } = await yard().cli('read', first, '--scrollback');
    expect(stdout).toMatch(/\n1\n2\n3\n(.|\n)*60\nhällo\n/);
    const client = await yard().client();
    const width = Number(server.run('display-message', '-p', '-t', '%0', '#{pane_width}').trim());
    expect(await client.call('surface.read_text', { surface_id: first })).toMatchObject({ cols: width, rows: 20 });
    const { windows } = await client.call('system.tree', { all_windows: true });
    const titles = windows.flatMap(({ workspaces }) => workspaces.map((workspace) => workspace.title));
    expect(titles).toEqual(expect.arrayContaining(['main:first', 'main:second']));
  });

  it('C14: types into the pane, shows what it prints, and follows its size', async () => {
    const first = refs['%0'] ?? '';
    await yard().cli('send', first, '--enter', 'echo typed-$((20+3))-é');
    await yard().cli('wait', first, '--text', 'typed-23-é');
    expect(server.run('capture-pane', '-p', '-t', '%0')).toContain('typed-23-é');
    server.run('resize-pane', '-t', '%0', '-x', '30');
    const client = await yard().client();
    await waitFor('it has the new width', async () => {
      const { cols } = await client.call('surface.read_text', { surface_id: first });
      return cols === 30;
    });
  });

  it('C14: ends with its pane, and a closed view leaves the pane as it is', async () => {
    const client = await yard().client();
    const isOpen = async (ref: string) => {
      const { windows } = await client.call('system.tree', { all_windows: true });
      return JSON.stringify(windows).includes(`"${ref}"`);
    };
    server.run('kill-pane', '-t', '%1');
    await waitFor('its tab is closed', async () => !(await isOpen(refs['%1'] ?? '')));
    await yard().cli('close', '--now', refs['%0'] ?? '');
    await waitFor('the client is gone', () => {
      const clients = processesMentioning(yard().dir).filter(({ command }) => command.includes('attach-session'));
      return clients.length === 1;
    });
    expect(server.run('list-panes', '-a', '-F', '#{pane_id}').trim().split('\n')).toEqual(['%0', '%2']);
  });
});
