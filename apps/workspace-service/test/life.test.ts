import { fail } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

let yard: FakeYard;
const start = async (options?: YardOptions) => {
  yard = await startFakeYard(options);
};
afterEach(() => yard.end());

const surfaces = async (workspace_id?: string) => (await yard.call('surface.list', { workspace_id })).surfaces;
const surfaceIds = async (workspace_id?: string) => (await surfaces(workspace_id)).map(({ id }) => id);
const refused = (code: string) => expect.objectContaining({ code });

describe('a program that can not be started', () => {
  it.each(['command_not_found', 'directory_not_found'] as const)(
    'A14: answers %s before there is a terminal, and leaves the tree as it was',
    async (code) => {
      await start();
      await yard.call('surface.split', { direction: 'right' });
      const before = await yard.call('system.tree', { all_windows: true });
      yard.host.onOpen = () => fail(code, 'no');
      const given = { argv: ['/no/such/bin'], cwd: '/no/such/dir' };
      await expect(yard.call('surface.create', given)).rejects.toEqual(refused(code));
      await expect(yard.call('surface.split', { direction: 'down', ...given })).rejects.toEqual(refused(code));
      await expect(yard.call('workspace.create', given)).rejects.toEqual(refused(code));
      await expect(yard.call('window.create', {})).rejects.toEqual(refused(code));
      expect(await yard.call('system.tree', { all_windows: true })).toEqual(before);
      await expect(yard.call('surface.read_output', { surface_id: 'surface:3' })).rejects.toEqual(refused('not_found'));
    },
  );

  it('never gives its ref to another', async () => {
    await start();
    yard.host.onOpen = () => fail('command_not_found', 'no');
    await expect(yard.call('surface.create', { argv: ['/no'] })).rejects.toEqual(refused('command_not_found'));
    yard.host.onOpen = () => undefined;
    expect((await yard.call('surface.create', {})).surface_ref).toBe('surface:3');
  });

  it('F6: starts nowhere else when the directory it inherited is gone', async () => {
    await start();
    const { workspace_id, surface_id } = await yard.call('workspace.create', { cwd: '/gone/later' });
    yard.host.onOpen = ({ cwd }) => (cwd === '/gone/later' ? fail('directory_not_found', 'gone', { cwd }) : undefined);
    const [before, spawns] = [await surfaceIds(workspace_id), yard.host.spawns];
    for (const opening of [
      yard.call('surface.split', { workspace_id, direction: 'right' }),
      yard.call('surface.create', { workspace_id, initial_command: 'rm -r build' }),
      yard.call('pane.create', { workspace_id, direction: 'down' }),
      yard.call('tab.action', { surface_id, action: 'new_terminal_right' }),
      yard.call('agent.start', { workspace_id, kind: 'codex' }),
    ]) {
      await expect(opening).rejects.toMatchObject({ code: 'directory_not_found', data: { cwd: '/gone/later' } });
    }
    expect(await surfaceIds(workspace_id)).toEqual(before);
    expect(yard.host.spawns).toBe(spawns);
    const named = await yard.call('surface.create', { workspace_id, cwd: '/here' });
    expect(yard.host.opened(named.surface_id).cwd).toBe('/here');
  });

  it('F6: leaves a shell that cannot be revived as it is, to be started where one says', async () => {
    await start();
    const { workspace_id, surface_id } = await yard.call('workspace.create', { cwd: '/gone/later' });
    yard.host.onOpen = ({ cwd }) => (cwd === '/gone/later' ? fail('directory_not_found', 'gone', { cwd }) : undefined);
    await yard.stop();
    yard.host.reboot();
    await yard.start();
    const shell = await waitFor('the shell has failed', async () =>
      (await surfaces(workspace_id)).find(({ id, exit }) => id === surface_id && exit !== null),
    );
    expect(shell.cwd).toBe('/gone/later');
    await expect(yard.call('surface.respawn', { surface_id })).rejects.toEqual(refused('directory_not_found'));
    await yard.call('surface.respawn', { surface_id, cwd: '/here' });
    expect(yard.host.opened(surface_id).cwd).toBe('/here');
  });

  it('is ended if it may run after all', async () => {
    await start();
    yard.host.onOpen = () => fail('timeout', 'late');
    const before = await surfaceIds();
    await expect(yard.call('surface.create', {})).rejects.toEqual(refused('timeout'));
    expect(await surfaceIds()).toEqual(before);
    yard.host.onOpen = () => undefined;
  });
});

describe('the environment of a terminal (§6.6)', () => {
  it('is the user’s without our internals, then what was given, then ours, with PATH in front', async () => {
    await start({ env: { EDITOR: 'vi', SWITCHYARD_SERVICE: 'secret', SWITCHYARD_STATE_DIR: '/s', npm_config_x: 'y' } });
    const initial_env = { EDITOR: 'emacs', SWITCHYARD_SURFACE_ID: 'mine', TERM: 'dumb', PATH: '/opt/bin' };
    const made = await yard.call('workspace.create', { initial_env });
    const { env } = yard.host.opened(made.surface_id);
    expect(env).toMatchObject({
      EDITOR: 'emacs',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'switchyard',
      SWITCHYARD_SURFACE_ID: made.surface_id,
      SWITCHYARD_WORKSPACE_ID: made.workspace_id,
      SWITCHYARD_PANE_ID: made.pane_id,
      SWITCHYARD_SURFACE_REF: made.surface_ref,
      SWITCHYARD_SOCKET: '/run/test/gateway.sock',
      SWITCHYARD_STATE_DIR: '/s',
    });
    expect(env['PATH']).toMatch(/(^|:)\/opt\/bin$/);
    expect(Object.keys(env).filter((name) => /^(PROGRAMA_|npm_|SWITCHYARD_SERVICE)/.test(name))).toEqual([]);
  });

  it('has the peer’s names only with compat, where TAB means the workspace', async () => {
    await start({ compat: true });
    const made = await yard.call('workspace.create', { initial_env: { PROGRAMA_SURFACE_ID: 'x', PROGRAMA_OWN: 'y' } });
    expect(yard.host.opened(made.surface_id).env).toMatchObject({
      PROGRAMA_SURFACE_ID: made.surface_id,
      PROGRAMA_PANEL_ID: made.surface_id,
      PROGRAMA_WORKSPACE_ID: made.workspace_id,
      PROGRAMA_TAB_ID: made.workspace_id,
      PROGRAMA_SOCKET_PATH: '/run/test/gateway.sock',
      PROGRAMA_OWN: 'y',
    });
  });
});

describe('a closed surface', () => {
  it('comes back with its id, its place and its process while the grace period lasts (decision 4)', async () => {
    await start();
    await yard.call('surface.create', {});
    await yard.call('surface.create', {});
    const before = await surfaceIds();
    const surface_id = before[1] ?? '';
    await yard.call('surface.close', { surface_id });
    expect(await surfaceIds()).toEqual([before[0], before[2]]);
    await expect(yard.call('surface.send_text', { surface_id, text: 'x' })).rejects.toEqual(refused('not_found'));
    await yard.call('debug.shortcut.simulate', { combo: 'cmd+shift+t' });
    expect(await surfaceIds()).toEqual(before);
    await yard.call('surface.close', { surface_id });
    expect(await yard.call('surface.reopen', { surface_id: surface_id.toLowerCase() })).toMatchObject({ surface_id });
    expect(yard.host.closed).toEqual([]);
    expect(yard.host.spawns).toBe(3);
    await expect(yard.call('surface.reopen', {})).rejects.toEqual(refused('not_found'));
  });

  it('is ended when the period is over, and stays readable for a while', async () => {
    await start({ closeUndoMs: 30 });
    const { surface_id } = await yard.call('surface.create', {});
    yard.host.print(surface_id, 'last words');
    await yard.call('surface.close', { surface_id });
    await waitFor('its end', () => yard.host.closed.length === 1);
    const read = await waitFor('its exit', async () => {
      const output = await yard.call('surface.read_output', { surface_id });
      return output.eof && output;
    });
    expect(Buffer.from(read.data, 'base64').toString()).toBe('last words');
    const waited = await yard.call('surface.wait', { surface_id, exit: true });
    expect(waited).toMatchObject({ condition: 'exit', waited: false, signal: 'SIGHUP', exit_code: null });
    await expect(yard.call('surface.reopen', { surface_id })).rejects.toEqual(refused('not_found'));
  });

  it('goes back to the focused pane when its own is gone', async () => {
    await start();
    const { surface_id } = await yard.call('surface.split', { direction: 'right' });
    await yard.call('surface.close', { surface_id });
    expect(await yard.call('surface.reopen', {})).toMatchObject({ surface_id, pane_ref: 'pane:1' });
  });

  it('is ended at once with now, and the reply comes when it is gone', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', {});
    const closed = await yard.call('surface.close', { surface_id, now: true, kill_survivors: true });
    expect(closed).toMatchObject({ surface_id, survivors: [] });
    expect(yard.host.closed).toEqual([{ surface_id, kill_survivors: true }]);
  });

  it('is refused for the last one of a workspace', async () => {
    await start();
    await expect(yard.call('surface.close', {})).rejects.toEqual(refused('invalid_state'));
  });

  it('answers waits for text at once with not_found (§7.1)', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', {});
    const waiting = yard.call('surface.wait', { surface_id, pattern: 'never' });
    const outcome = expect(waiting).rejects.toEqual(refused('not_found'));
    await yard.call('surface.close', { surface_id });
    await outcome;
    await expect(yard.call('surface.wait', { surface_id, pattern: 'never' })).rejects.toEqual(refused('not_found'));
  });
});

describe('a program that ends', () => {
  it('closes its surface, then its workspace, then its window (§6.4)', async () => {
    await start();
    await yard.call('window.create', {});
    const { workspace_id, surface_id } = await yard.call('workspace.create', {});
    const second = await yard.call('surface.create', { workspace_id });
    yard.host.exit(second.surface_id);
    await waitFor('the tab to close', async () => (await surfaceIds(workspace_id)).length === 1);
    yard.host.exit(surface_id);
    const isGone = async () => (await yard.call('workspace.list', {})).workspaces.length === 1;
    await waitFor('the workspace to close', isGone);
    expect(yard.published('workspace.closed')).toEqual([{ workspace_id }]);
    const [last = ''] = await surfaceIds();
    yard.host.exit(last);
    const { windows } = await waitFor('the window to close', async () => {
      const list = await yard.call('window.list', {});
      return list.windows.length === 1 && list;
    });
    expect(windows).toMatchObject([{ ref: 'window:1', key: true }]);
  });

  it('is replaced by a fresh window when it was the last of the yard', async () => {
    await start();
    const [surface_id = ''] = await surfaceIds();
    yard.host.exit(surface_id, 0, { at: Date.now() + 60_000 });
    await waitFor('a new shell', () => yard.host.spawns === 2);
    expect((await yard.call('window.list', {})).windows).toMatchObject([{ ref: 'window:2', key: true }]);
    expect(await surfaces()).toMatchObject([{ ref: 'surface:2', title: 'Terminal' }]);
  });

  it('stays as it is when the last shell of the yard ends as soon as it starts, instead of looping', async () => {
    await start();
    const [surface_id = ''] = await surfaceIds();
    const exit = yard.host.exit(surface_id, 1, { at: Date.now() });
    await waitFor('the exit', async () => (await surfaces())[0]?.exit);
    expect(await surfaces()).toMatchObject([{ id: surface_id, exit }]);
    expect(yard.host.spawns).toBe(1);
  });

  it('satisfies a wait for its exit though the surface closes, and one that comes later', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', {});
    const waiting = yard.call('surface.wait', { surface_id, exit: true });
    await waitFor('the wait', () => (yard.host.terminals.get(surface_id)?.pending.size ?? 0) > 0);
    yard.host.print(surface_id, 'bye');
    yard.host.exit(surface_id, 3);
    expect(await waiting).toMatchObject({ condition: 'exit', waited: true, exit_code: 3, signal: null, offset: 3 });
    await waitFor('its close', async () => !(await surfaceIds()).includes(surface_id));
    const late = await yard.call('surface.wait', { surface_id, exit: true });
    expect(late).toMatchObject({ waited: false, exit_code: 3, surface_id });
    expect(await yard.call('surface.read_output', { surface_id })).toMatchObject({ eof: true, exit: { exit_code: 3 } });
  });

  it('does not hide its last words from a wait for text', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', {});
    const found = yard.call('surface.wait', { surface_id, pattern: 'last words' });
    const missed = yard.call('surface.wait', { surface_id, pattern: 'never' });
    const outcome = expect(missed).rejects.toEqual(refused('not_found'));
    const terminal = await waitFor('the waits', () => {
      const known = yard.host.terminals.get(surface_id);
      return known?.pending.size === 2 && known;
    });
    // The text is on the screen, but the exit overtakes the answer to the wait.
    terminal.text += 'last words';
    yard.host.exit(surface_id);
    expect(await found).toMatchObject({ waited: true, match: 'last words' });
    await outcome;
  });

  it('stays readable with remain_on_exit, and runs again with the same id', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', { argv: ['make', 'all'], remain_on_exit: true });
    await expect(yard.call('surface.respawn', { surface_id })).rejects.toEqual(refused('invalid_state'));
    yard.host.print(surface_id, 'built');
    yard.host.exit(surface_id, 2);
    await waitFor('the exit', async () => (await surfaces()).find(({ id }) => id === surface_id)?.exit);
    expect((await yard.call('surface.read_text', { surface_id })).text).toBe('built');
    const again = await yard.call('surface.respawn', { surface_id });
    expect(again).toMatchObject({ surface_id, offset: 5 });
    expect(yard.host.opened(surface_id).argv).toEqual(['make', 'all']);
    expect((await surfaces()).find(({ id }) => id === surface_id)?.exit).toBeNull();
    yard.host.exit(surface_id, 0, { at: Date.now() + 1000 });
    await waitFor('the second exit', async () => (await surfaces()).find(({ id }) => id === surface_id)?.exit);
    yard.host.onOpen = () => fail('command_not_found', 'no');
    await expect(yard.call('surface.respawn', { surface_id, argv: ['/no'] })).rejects.toEqual(
      refused('command_not_found'),
    );
    const row = (await surfaces()).find(({ id }) => id === surface_id);
    expect(row).toMatchObject({ exit: { exit_code: 0 }, title: 'make' });
  });

  it('leaves the model alone once the yard is stopping (E1)', async () => {
    await start();
    await yard.call('surface.split', { direction: 'right' });
    const before = await surfaceIds();
    await yard.stop();
    const exits = before.map((id) => [id, yard.host.exit(id, 1)] as const);
    await yard.start();
    for (const [surface_id, exit] of exits) yard.host.bus?.emit('terminal.exited', { surface_id, exit });
    await waitFor('the shells to be started again', () => yard.host.spawns === 4);
    expect(await surfaceIds()).toEqual(before);
  });
});

describe('waits', () => {
  it('take exactly one condition and a positive number of lines', async () => {
    await start();
    for (const wrong of [{}, { pattern: 'a', exit: true }, { exit: false }, { pattern: 'a', lines: 0 }]) {
      await expect(yard.call('surface.wait', wrong)).rejects.toEqual(refused('invalid_params'));
    }
  });

  it('answer at once what is true already and later what becomes true', async () => {
    await start();
    const [surface_id = ''] = await surfaceIds();
    yard.host.print(surface_id, 'ready');
    const now = await yard.call('surface.wait', { pattern: 'rea.y' });
    expect(now).toMatchObject({ condition: 'pattern', waited: false, match: 'ready', surface_id, offset: 5 });
    const waiting = yard.call('surface.wait', { pattern: 'done' });
    await waitFor('the wait', () => (yard.host.terminals.get(surface_id)?.pending.size ?? 0) > 0);
    yard.host.print(surface_id, ' done');
    expect(await waiting).toMatchObject({ waited: true, match: 'done' });
  });

  it('end when their caller goes away', async () => {
    await start();
    const gone = new AbortController();
    const waiting = yard.call('surface.wait', { pattern: 'never' }, { signal: gone.signal });
    const [surface_id = ''] = await surfaceIds();
    await waitFor('the wait', () => (yard.host.terminals.get(surface_id)?.pending.size ?? 0) > 0);
    gone.abort();
    await expect(waiting).rejects.toThrow();
  });
});

describe('the size of a terminal', () => {
  it('is the pane’s until a client dictates one, and the pane’s again when it lets go', async () => {
    await start();
    const [surface_id = ''] = await surfaceIds();
    const dictated = await yard.call('surface.resize', { surface_id, cols: 80, rows: 24 });
    expect(dictated).toMatchObject({ cols: 80, rows: 24, overridden: true });
    await yard.call('surface.split', { direction: 'right' });
    expect(yard.host.size(surface_id)).toEqual({ cols: 80, rows: 24 });
    expect(await yard.call('surface.resize', { surface_id })).toMatchObject({ cols: 100, rows: 50, overridden: false });
    expect(yard.host.size(surface_id)).toEqual({ cols: 100, rows: 50 });
    await expect(yard.call('surface.resize', { surface_id, cols: 80 })).rejects.toEqual(refused('invalid_params'));
  });

  it('A17: of a new terminal is not changed by what a client dictates for another', async () => {
    await start();
    const [surface_id = ''] = await surfaceIds();
    await yard.call('surface.resize', { surface_id, cols: 2, rows: 1 });
    const made = await yard.call('workspace.create', {});
    expect(yard.host.size(made.surface_id)).toEqual({ cols: 200, rows: 50 });
  });
});

describe('typing', () => {
  it('without a target goes to the focused surface of the selected workspace', async () => {
    await start();
    const { workspace_id, surface_id } = await yard.call('workspace.create', {});
    await yard.call('workspace.select', { workspace_id });
    expect(await yard.call('surface.send_text', { text: 'ls\n' })).toMatchObject({ surface_id, bytes: 3, offset: 3 });
    await yard.call('surface.send_key', { key: 'enter' });
    await yard.call('surface.send_bytes', { surface_id, data: Buffer.from('!').toString('base64') });
    const { text, base64 } = await yard.call('surface.read_text', { workspace_id });
    expect(text).toBe('ls\n<enter>\n> !');
    expect(Buffer.from(base64, 'base64').toString()).toBe(text);
    await expect(yard.call('surface.send_key', { key: 'nonsense' })).rejects.toEqual(refused('invalid_params'));
    await expect(yard.call('surface.send_bytes', { surface_id, data: '%%' })).rejects.toEqual(
      refused('invalid_params'),
    );
  });

  it('waits for a terminal that is just being started', async () => {
    await start();
    let release = () => {};
    yard.host.onOpen = () => new Promise((resolve) => (release = resolve));
    const creating = yard.call('surface.create', {});
    const surface_id = await waitFor('the surface', async () => (await surfaceIds())[1]);
    const typing = yard.call('surface.send_text', { surface_id, text: 'early' });
    release();
    await creating;
    expect(await typing).toMatchObject({ bytes: 5 });
  });
});
