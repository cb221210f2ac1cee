import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '@switchyard/protocol';
import { tempDir, waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

let yard: FakeYard;
const start = async (options?: YardOptions) => {
  yard = await startFakeYard(options);
};
afterEach(() => yard.end());

const refused = (code: string, data: object = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) });
const pane = (...surfaces: object[]) => ({ pane: { surfaces } });
const shell = (more: object = {}) => ({ type: 'terminal', ...more });
const sideBySide = (first: object, second: object, split?: number) => ({
  direction: 'horizontal',
  ...(split === undefined ? {} : { split }),
  children: [first, second],
});

function write(name: string, layout: unknown, folder = join(yard.configDir, 'layouts')): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ schemaVersion: 1, name, savedAt: '2026-03-01T08:00:00Z', layout }));
  return path;
}
const rowsOf = async (workspace_id?: string) => (await yard.call('surface.list', { workspace_id })).surfaces;
const treeText = async () => JSON.stringify(await yard.call('system.tree', { all_windows: true }));
const selected = async () => (await yard.call('workspace.current', {})).workspace_id;

describe('layout.apply', () => {
  it('opens everything in one new workspace, with places relative to its root, and selects nothing', async () => {
    await start();
    const before = await selected();
    write(
      'dev',
      sideBySide(pane(shell({ cwd: 'api', name: 'server' }), shell()), pane(shell({ cwd: '~/notes' })), 0.7),
    );
    const applied = await yard.call('layout.apply', { name: 'dev', cwd: '/srv/shop', title: 'Shop' });
    expect(applied).toMatchObject({ complete: true, skipped: [], remarks: [] });
    expect(applied.surfaces.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['server', 'started'],
      [null, 'started'],
      [null, 'started'],
    ]);
    const rows = await rowsOf(applied.workspace_id);
    expect(rows.map(({ cwd }) => cwd)).toEqual(['/srv/shop/api', '/srv/shop', '/home/someone/notes']);
    expect(rows.map(({ pane_ref }) => pane_ref)).toEqual([
      rows[0]?.pane_ref,
      rows[0]?.pane_ref,
      expect.not.stringMatching(rows[0]?.pane_ref ?? ''),
    ]);
    expect(rows[0]).toMatchObject({ title: 'server', focused: true, selected_in_pane: true });
    expect(await selected()).toBe(before);
    const { panes } = await yard.call('pane.list', { workspace_id: applied.workspace_id });
    expect(panes.map(({ columns }) => columns)).toEqual([140, 60]);
    expect((await yard.call('workspace.list', {})).workspaces[1]).toMatchObject({ title: 'Shop' });
  });

  it('makes a terminal of each kind of program', async () => {
    await start();
    write(
      'kinds',
      pane(
        shell({ argv: ['make', 'run'], env: { PORT: '80' }, remainOnExit: true }),
        shell({ agent: { kind: 'claude', args: ['--model', 'opus'], name: 'reviewer' } }),
        shell({ agent: { kind: 'own', name: 'mine' }, argv: ['./own-agent', '-v'] }),
      ),
    );
    const { surfaces } = await yard.call('layout.apply', { name: 'kinds' });
    const opened = surfaces.map(({ surface_id }) => yard.host.opened(surface_id));
    expect(opened.map(({ argv }) => argv)).toEqual([
      ['make', 'run'],
      ['claude', '--model', 'opus'],
      ['./own-agent', '-v'],
    ]);
    expect(opened[0]?.env['PORT']).toBe('80');
    expect(opened.map(({ env }) => env['SWITCHYARD_AGENT'])).toEqual([undefined, 'claude-code', 'own']);
    const again = await yard.call('layout.apply', { name: 'kinds' });
    expect(again.remarks).toEqual([expect.stringContaining('reviewer'), expect.stringContaining('mine')]);
  });

  it('types a command once the shell shows something, before what others type, and only once', async () => {
    await start();
    write('run', pane(shell({ command: 'npm run dev' })));
    const { surfaces } = await yard.call('layout.apply', { name: 'run' });
    const id = surfaces[0]?.surface_id ?? '';
    const typed = yard.call('surface.send_text', { surface_id: id, text: 'later' });
    expect(yard.host.terminals.get(id)?.text).toBe('');
    yard.host.print(id, '$ ');
    await typed;
    expect(yard.host.terminals.get(id)?.text).toBe('$ npm run dev\nlater');
    await yard.restart();
    await yard.call('surface.send_text', { surface_id: id, text: '!' });
    expect(yard.host.terminals.get(id)?.text).toBe('$ npm run dev\nlater!');
  });

  it('types a command after its own restart that it did not get to before', async () => {
    await start();
    write('run', pane(shell({ command: 'npm run dev' })));
    const { surfaces } = await yard.call('layout.apply', { name: 'run' });
    const id = surfaces[0]?.surface_id ?? '';
    await yard.restart();
    yard.host.print(id, '$ ');
    await waitFor('the command', () => yard.host.terminals.get(id)?.text === '$ npm run dev\n');
  });

  it('says which program could not be started, and leaves its surface to be started again', async () => {
    await start();
    write('dev', sideBySide(pane(shell({ name: 'well' })), pane(shell({ cwd: 'gone', command: 'ls' }))));
    yard.host.onOpen = ({ cwd }) => {
      if (cwd.endsWith('/gone')) fail('directory_not_found', 'No such directory', { cwd });
    };
    const { complete, surfaces } = await yard.call('layout.apply', { name: 'dev', cwd: '/srv' });
    expect(complete).toBe(false);
    expect(surfaces.map(({ outcome, error }) => [outcome, error?.code])).toEqual([
      ['started', undefined],
      ['failed', 'directory_not_found'],
    ]);
    yard.host.onOpen = () => undefined;
    const id = surfaces[1]?.surface_id ?? '';
    await yard.call('surface.respawn', { surface_id: id });
    expect(yard.host.opened(id).cwd).toBe('/srv/gone');
    yard.host.print(id, '$ ');
    await waitFor('its command', () => yard.host.terminals.get(id)?.text === '$ ls\n');
  });

  it.each(['new', 'existing'] as const)(
    'leaves everything as it was when nothing could be started (%s workspace)',
    async (which) => {
      await start();
      write('dev', sideBySide(pane(shell({ cwd: 'a' })), pane(shell({ agent: { kind: 'codex', name: 'helper' } }))));
      const before = await treeText();
      yard.host.onOpen = () => fail('directory_not_found', 'No such directory');
      const params = { name: 'dev', cwd: '/nowhere', ...(which === 'new' ? {} : { workspace_id: 'workspace:1' }) };
      await expect(yard.call('layout.apply', params, { requestId: 'a1' })).rejects.toEqual(
        refused('directory_not_found'),
      );
      expect(await treeText()).toBe(before);
      yard.host.onOpen = () => undefined;
      expect(await yard.call('layout.apply', params, { requestId: 'a1' })).toMatchObject({
        complete: true,
        remarks: [],
      });
    },
  );

  it('is done once for a request_id, also when the service died in the middle of it', async () => {
    await start();
    write('dev', sideBySide(pane(shell()), pane(shell({ argv: ['make'] }))));
    const apply = () => yard.call('layout.apply', { name: 'dev' }, { requestId: 'a2' });
    yard.host.onOpen = () => new Promise(() => undefined);
    void apply();
    await waitFor('the workspace', async () => (await yard.call('workspace.list', {})).workspaces.length === 2);
    yard.host.onOpen = () => undefined;
    await yard.crash();
    const applied = await apply();
    expect(applied).toMatchObject({ complete: true });
    expect(await apply()).toEqual(applied);
    expect((await yard.call('workspace.list', {})).workspaces).toHaveLength(2);
    for (const { surface_id } of applied.surfaces) expect(yard.host.terminals.has(surface_id)).toBe(true);
  });

  it('goes on by itself when nobody repeats the call', async () => {
    await start();
    write('dev', pane(shell({ argv: ['make'] })));
    yard.host.onOpen = () => new Promise(() => undefined);
    void yard.call('layout.apply', { name: 'dev' });
    await waitFor('the workspace', async () => (await yard.call('workspace.list', {})).workspaces.length === 2);
    yard.host.onOpen = () => undefined;
    await yard.crash();
    await waitFor('the program', () =>
      [...yard.host.terminals.values()].some(({ opened }) => opened.argv[0] === 'make'),
    );
  });

  it('puts aside what needs a screen and what has no room, and says so', async () => {
    await start({ paneCap: 2 });
    write(
      'big',
      sideBySide(
        pane(shell()),
        sideBySide(
          pane({ type: 'browser', name: 'Preview' }),
          sideBySide(pane(shell()), pane(shell({ name: 'third' }))),
        ),
      ),
    );
    const { complete, surfaces, skipped, workspace_id } = await yard.call('layout.apply', { name: 'big' });
    expect([complete, surfaces.length]).toEqual([false, 2]);
    expect(skipped).toEqual([
      { what: 'Preview', reason: 'no browser here' },
      { what: 'third', reason: 'no room for another pane' },
    ]);
    expect((await yard.call('pane.list', { workspace_id })).panes.map(({ columns }) => columns)).toEqual([100, 100]);
    write('web', pane({ type: 'browser', url: 'http://localhost' }));
    await expect(yard.call('layout.apply', { name: 'web' })).rejects.toEqual(refused('not_supported'));
  });

  it('focuses what it says inside its workspace', async () => {
    await start();
    write('dev', sideBySide(pane(shell()), pane(shell(), shell({ focus: true }))));
    const { surfaces, workspace_id } = await yard.call('layout.apply', { name: 'dev' });
    expect(await yard.call('surface.current', { workspace_id })).toMatchObject({ surface_id: surfaces[2]?.surface_id });
  });
});

describe('layout.apply in a workspace that exists', () => {
  it('keeps its only terminal as the first one', async () => {
    await start();
    const { workspace_id, surface_id } = await yard.call('workspace.create', { cwd: '/srv' });
    write('dev', sideBySide(pane(shell({ name: 'first', command: 'ls' })), pane(shell())));
    const applied = await yard.call('layout.apply', { name: 'dev', workspace_id });
    expect(applied.surfaces.map(({ outcome }) => outcome)).toEqual(['reused', 'started']);
    expect(applied.surfaces[0]).toMatchObject({ surface_id, name: 'first' });
    yard.host.print(surface_id, '$ ');
    await waitFor('its command', () => yard.host.terminals.get(surface_id)?.text === '$ ls\n');
    expect(yard.host.closed).toEqual([]);
  });

  it('replaces its only terminal by one with a place of its own; for a moment it can be reopened', async () => {
    await start();
    const { workspace_id, surface_id } = await yard.call('workspace.create', { cwd: '/srv' });
    write('dev', pane(shell({ cwd: 'api' })));
    const { surfaces } = await yard.call('layout.apply', { name: 'dev', workspace_id });
    expect((await rowsOf(workspace_id)).map(({ id, cwd }) => [id, cwd])).toEqual([
      [surfaces[0]?.surface_id, '/srv/api'],
    ]);
    expect(await yard.call('surface.reopen', {})).toMatchObject({ surface_id, workspace_id });
  });

  it('closes nothing in a workspace that has more: the layout gets half of the focused pane', async () => {
    await start();
    await yard.call('surface.split', { direction: 'right' });
    const before = (await rowsOf()).map(({ id }) => id);
    write('dev', sideBySide(pane(shell()), pane(shell())));
    const { surfaces } = await yard.call('layout.apply', { name: 'dev', workspace_id: 'workspace:1' });
    expect((await rowsOf()).map(({ id }) => id)).toEqual([...before, ...surfaces.map(({ surface_id }) => surface_id)]);
    const { panes } = await yard.call('pane.list', {});
    expect(panes.map(({ columns }) => columns)).toEqual([100, 50, 25, 25]);
  });
});

describe('layout.save', () => {
  it('captures splits, titles, places inside the root, programs, agents and commands', async () => {
    await start();
    const saved = sideBySide(
      pane(
        shell({ name: 'server', cwd: 'api', command: 'npm run dev' }),
        shell({ argv: ['make', 'run'], remainOnExit: true }),
      ),
      pane(shell({ cwd: '/var/log' }), shell({ agent: { kind: 'codex', args: ['-m', 'o'], name: 'helper' } })),
      0.25,
    );
    write('dev', saved);
    const { workspace_id } = await yard.call('layout.apply', { name: 'dev', cwd: '/srv/shop' });
    expect(await yard.call('layout.save', { name: 'copy', workspace_id })).toMatchObject({
      pane_count: 2,
      surface_count: 4,
    });
    const { layout, path, saved_at } = await yard.call('layout.get', { name: 'copy' });
    expect(layout).toEqual(saved);
    expect(saved_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps variables that callers gave to itself unless it is told', async () => {
    await start();
    const { workspace_id } = await yard.call('workspace.create', { argv: ['make'], env: { TOKEN: 'secret' } });
    const save = async (env: boolean) => {
      await yard.call('layout.save', { name: 'dev', workspace_id, force: true, env });
      return (await yard.call('layout.get', { name: 'dev' })).layout.pane?.surfaces[0]?.env;
    };
    expect(await save(false)).toBeUndefined();
    expect(await save(true)).toEqual({ TOKEN: 'secret' });
  });

  it('does not replace a layout unless forced, and takes no name that is no file name', async () => {
    await start();
    const { path } = await yard.call('layout.save', { name: 'dev' });
    await expect(yard.call('layout.save', { name: 'dev' })).rejects.toEqual(refused('already_exists', { path }));
    await yard.call('layout.save', { name: 'dev', force: true });
    for (const name of ['a/b', '.', '..', 'x'.repeat(300)]) {
      await expect(yard.call('layout.save', { name })).rejects.toEqual(refused('invalid_name'));
    }
  });

  it('E5: commands, programs and agents of a layout are still there after two restarts of everything', async () => {
    await start();
    const saved = sideBySide(
      pane(shell({ command: 'npm run dev' })),
      pane(shell({ argv: ['make'] }), shell({ agent: { kind: 'codex', name: 'helper' } })),
      0.5,
    );
    write('dev', saved);
    const { workspace_id, surfaces } = await yard.call('layout.apply', { name: 'dev' });
    yard.host.print(surfaces[0]?.surface_id ?? '', '$ ');
    for (let i = 0; i < 2; i++) {
      await yard.stop();
      yard.host.reboot();
      await yard.start();
      await waitFor('the shell', () => yard.host.terminals.has(surfaces[0]?.surface_id ?? ''));
    }
    await yard.call('layout.save', { name: 'again', workspace_id });
    expect((await yard.call('layout.get', { name: 'again' })).layout).toEqual(saved);
    await yard.call('surface.respawn', { surface_id: surfaces[1]?.surface_id });
    expect(yard.host.opened(surfaces[1]?.surface_id ?? '').argv).toEqual(['make']);
  });
});

describe('the files', () => {
  it('are listed by name; what holds no layout is told apart, and said when it is asked for', async () => {
    await start();
    write('b', pane(shell()));
    write('a', sideBySide(pane(shell()), pane(shell(), shell())));
    const broken = write('broken', { pane: { surfaces: [] } });
    writeFileSync(join(yard.configDir, 'layouts', 'old.json'), '{"schemaVersion":7}');
    const { layouts, unreadable } = await yard.call('layout.list', {});
    expect(layouts.map(({ name, pane_count, surface_count }) => [name, pane_count, surface_count])).toEqual([
      ['a', 2, 3],
      ['b', 1, 1],
    ]);
    expect(unreadable.map(({ name }) => name)).toEqual(['broken', 'old']);
    const get = (name: string) => yard.call('layout.get', { name });
    await expect(get('broken')).rejects.toEqual(refused('invalid_state', { path: broken, at: 'layout.pane.surfaces' }));
    await expect(get('old')).rejects.toEqual(refused('version_mismatch'));
    await expect(get('none')).rejects.toEqual(refused('not_found', { layout: 'none' }));
  });

  it('are deleted one at a time', async () => {
    await start();
    write('dev', pane(shell()));
    await yard.call('layout.delete', { name: 'dev' });
    expect(await yard.call('layout.list', {})).toEqual({ layouts: [], unreadable: [] });
    await expect(yard.call('layout.delete', { name: 'dev' })).rejects.toEqual(refused('not_found'));
  });

  it("with the compat switch are those of the peer too, and are written as the peer's", async () => {
    const home = tempDir('sy-home');
    try {
      await start({ compat: true, env: { HOME: home.path } });
      const peers = join(home.path, '.config/programa/layouts');
      write('theirs', pane(shell({ cwd: 'api' })), peers);
      write('ours', pane(shell({ argv: ['make'] })));
      expect((await yard.call('layout.list', {})).layouts.map(({ name }) => name)).toEqual(['ours', 'theirs']);
      const { workspace_id } = await yard.call('layout.apply', { name: 'ours' });
      const { path } = await yard.call('layout.save', { name: 'new', workspace_id });
      expect(path).toBe(join(peers, 'new.json'));
      const { schemaVersion, layout } = JSON.parse(readFileSync(path, 'utf8'));
      expect({ schemaVersion, layout }).toEqual({ schemaVersion: 1, layout: pane(shell()) });
      expect((await yard.call('layout.save', { name: 'ours', workspace_id, force: true })).path).toContain(
        yard.configDir,
      );
    } finally {
      home.remove();
    }
  });
});
