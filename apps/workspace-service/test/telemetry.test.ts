import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

let yard: FakeYard;
let at: { workspace_id: string; surface_id: string };

beforeEach(async () => {
  yard = await startFakeYard();
  const { focused } = await yard.call('system.identify', {});
  at = { workspace_id: focused?.workspace_id ?? '', surface_id: focused?.surface_id ?? '' };
});
afterEach(() => yard.end());

const row = async () => {
  const { surfaces } = await yard.call('surface.list', {});
  return surfaces.find(({ id }) => id === at.surface_id);
};
const workspaceRow = async () => (await yard.call('workspace.current', {})).workspace;
const ttyInTree = async () => {
  const { windows } = await yard.call('system.tree', {});
  return windows[0]?.workspaces[0]?.panes[0]?.surfaces[0]?.tty;
};
const PORT = { port: 5173, addresses: ['127.0.0.1'], pid: 4711, process: 'node' };

describe('reports of a terminal', () => {
  it('of its device show in the tree in place of what is known', async () => {
    expect(await ttyInTree()).toMatch(/^\/dev\/pts\//);
    expect(await yard.call('surface.report_tty', { ...at, tty_name: ' ttys003 ' })).toMatchObject({
      tty_name: 'ttys003',
    });
    expect(await ttyInTree()).toBe('ttys003');
  });

  it('of its directory are where the next terminal starts', async () => {
    await yard.call('surface.report_pwd', { ...at, path: '/srv/shop' });
    expect((await row())?.cwd).toBe('/srv/shop');
    expect((await workspaceRow()).current_directory).toBe('/srv/shop');
    const { surface_id } = await yard.call('surface.split', { direction: 'right' });
    expect(yard.host.opened(surface_id).cwd).toBe('/srv/shop');
    for (const path of ['here', `/${'x'.repeat(4096)}`, '/a\nb']) {
      await expect(yard.call('surface.report_pwd', { ...at, path })).rejects.toMatchObject({ code: 'invalid_params' });
    }
  });

  it('of its shell are known once, whatever word is used', async () => {
    const report = (state: string) => yard.call('surface.report_shell_state', { ...at, state });
    expect(await report('busy')).toMatchObject({ state: 'running', deduped: false });
    expect(await report('command')).toMatchObject({ state: 'running', deduped: true });
    expect((await row())?.shell_state).toBe('running');
    expect(await report('idle')).toMatchObject({ state: 'prompt', deduped: false });
    expect(await report('clear')).toMatchObject({ state: 'unknown', deduped: false });
    expect((await row())?.shell_state).toBeNull();
  });

  it('of its branch win over what is seen on disk, until they are cleared', async () => {
    await yard.call('surface.report_git_branch', { ...at, branch: 'feat/\u001b[31mx' });
    expect((await workspaceRow()).git_branch).toEqual({ branch: 'feat/x', dirty: false });
    await yard.call('surface.report_git_branch', { ...at, branch: 'feat/x', dirty: 'yes' });
    expect((await workspaceRow()).git_branch).toEqual({ branch: 'feat/x', dirty: true });
    expect((await yard.call('debug.terminals', {})).terminals[0]).toMatchObject({ git_branch: 'feat/x', ports: [] });
    await yard.call('surface.clear_git_branch', at);
    expect((await workspaceRow()).git_branch).toBeNull();
  });

  it('of its pull request show beside its workspace, until they are cleared', async () => {
    const pr = { number: '42', url: 'https://example.org/pull/42', checks: 'pass' };
    const told = { number: 42, label: 'PR', url: pr.url, state: 'open', branch: null, checks: 'pass' };
    expect(await yard.call('surface.report_pr', { ...at, ...pr })).toMatchObject(told);
    expect((await yard.call('workspace.sidebar_state', {})).pull_request).toMatchObject(told);
    const wrong = [{ url: 'javascript:alert(1)' }, { label: 'x'.repeat(17) }, { state: 'lost' }, { number: 0 }];
    for (const more of wrong) {
      const asked = yard.call('surface.report_pr', { ...at, ...pr, ...more });
      await expect(asked).rejects.toMatchObject({ code: 'invalid_params' });
    }
    await yard.call('surface.clear_pr', at);
    expect((await workspaceRow()).pull_request).toBeNull();
  });

  it('of ports show in its row and its workspace, until they are cleared for it or for all', async () => {
    const other = await yard.call('surface.split', { direction: 'right', focus: false });
    await yard.call('surface.report_ports', { ...at, ports: ['8080', 3000] });
    await yard.call('surface.report_ports', { ...at, surface_id: other.surface_id, ports: 9000 });
    expect((await row())?.listening_ports).toEqual([3000, 8080]);
    expect((await workspaceRow()).listening_ports).toEqual([3000, 8080, 9000]);
    await yard.call('surface.clear_ports', at);
    expect((await workspaceRow()).listening_ports).toEqual([9000]);
    await yard.call('surface.clear_ports', { workspace_id: at.workspace_id });
    expect((await workspaceRow()).listening_ports).toEqual([]);
    for (const ports of [[0], [65_536], ['http'], [1.5], Array.from({ length: 129 }, (_, i) => i + 1)]) {
      await expect(yard.call('surface.report_ports', { ...at, ports })).rejects.toMatchObject({
        code: 'invalid_params',
      });
    }
  });

  it('of something that is gone are answered all the same', async () => {
    const gone = { workspace_id: 'workspace:7', surface_id: 'surface:77' };
    const refs = { workspace_ref: null, surface_ref: null };
    expect(await yard.call('surface.report_pwd', { ...gone, path: '/x' })).toEqual({ ...gone, ...refs, path: '/x' });
    expect(await yard.call('surface.report_shell_state', { ...gone, state: 'prompt' })).toMatchObject(gone);
    expect(await yard.call('surface.ports_kick', { ...gone, reason: 'idle' })).toMatchObject({ reason: 'refresh' });
    expect(await yard.call('surface.clear_ports', { ...gone, surface_id: '' })).toMatchObject({ surface_id: null });
  });

  it('say nothing of the next program in the terminal', async () => {
    const { surface_id } = await yard.call('surface.create', { argv: ['server'], remain_on_exit: true });
    await yard.call('surface.report_ports', { ...at, surface_id, ports: 3000 });
    yard.host.exit(surface_id);
    await expect.poll(async () => (await workspaceRow()).listening_ports).toEqual([]);
    await yard.call('surface.respawn', { surface_id });
    expect((await workspaceRow()).listening_ports).toEqual([]);
    await yard.call('surface.report_ports', { ...at, surface_id, ports: 9000 });
    expect((await workspaceRow()).listening_ports).toEqual([9000]);
  });
});

describe('the ports of a terminal', () => {
  it('are taken over when the pty-host tells, kept over a restart, and told as events', async () => {
    const { cursor } = await yard.call('events.read', { limit: 1000 });
    yard.bus.emit('terminal.ports_changed', { surface_id: at.surface_id, ports: [PORT] });
    await yard.call('surface.report_ports', { ...at, ports: [3000] });
    expect((await workspaceRow()).listening_ports).toEqual([3000, 5173]);
    await yard.restart();
    expect((await workspaceRow()).listening_ports).toEqual([3000, 5173]);
    yard.bus.emit('terminal.ports_changed', { surface_id: at.surface_id, ports: [] });
    yard.bus.emit('terminal.ports_changed', { surface_id: 'unknown', ports: [PORT] });
    expect((await workspaceRow()).listening_ports).toEqual([3000]);
    const { events } = await yard.call('events.read', { cursor, kinds: ['metadata.ports_changed'] });
    expect(events.map(({ data }) => data)).toEqual([{ ports: [5173] }, { ports: [3000, 5173] }, { ports: [3000] }]);
    expect(events[0]).toMatchObject(at);
  });

  it('are looked at when somebody asks, and listed with what was reported', async () => {
    await yard.call('surface.report_ports', { ...at, ports: [3000, 5173] });
    yard.host.listens.set(at.surface_id, [PORT]);
    const { ports } = await yard.call('surface.ports', {});
    expect(ports).toEqual([
      { port: 3000, source: 'reported', addresses: [], pid: null, process: null },
      { ...PORT, source: 'found' },
    ]);
    expect((await row())?.listening_ports).toEqual([3000, 5173]);
  });

  it('are looked at soon after a kick, which nobody waits for', async () => {
    expect(await yard.call('surface.ports_kick', { ...at, reason: 'running' })).toMatchObject({ reason: 'command' });
    await expect.poll(() => yard.host.kicked).toEqual([at.surface_id]);
  });

  it('are none once its program has ended', async () => {
    yard.bus.emit('terminal.ports_changed', { surface_id: at.surface_id, ports: [PORT] });
    const { surface_id } = await yard.call('surface.create', { argv: ['server'], remain_on_exit: true });
    yard.bus.emit('terminal.ports_changed', { surface_id, ports: [{ ...PORT, port: 9000 }] });
    expect((await workspaceRow()).listening_ports).toEqual([5173, 9000]);
    yard.host.exit(surface_id);
    await expect.poll(async () => (await workspaceRow()).listening_ports).toEqual([5173]);
    await expect(yard.call('surface.ports', { surface_id })).rejects.toMatchObject({ code: 'terminal_exited' });
  });
});
