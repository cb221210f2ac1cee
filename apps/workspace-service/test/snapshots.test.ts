import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

/** Of src/snapshots.ts. */
const AUTO_MS = 10 * 60_000;

let yard: FakeYard;
const start = async (options?: YardOptions) => {
  yard = await startFakeYard(options);
};
afterEach(() => yard.end());

const refused = (code: string) => expect.objectContaining({ code });
const list = () => yard.call('snapshot.list', {});
const surfaceIds = async () => [...(await windowsOf()).flatMap(({ surfaces }) => surfaces)];

/** What a person sees of the tree, without ids of what restarts anew. */
async function windowsOf() {
  const { windows } = await yard.call('system.tree', { all_windows: true });
  return windows.map(({ workspaces }) => ({
    titles: workspaces.map(({ title }) => title),
    surfaces: workspaces.flatMap(({ panes }) => panes.flatMap(({ surfaces }) => surfaces.map(({ id }) => id))),
  }));
}
const treeText = async () =>
  JSON.stringify(await yard.call('system.tree', { all_windows: true }), (key, value) => (key === 'tty' ? null : value));

async function confirmed() {
  return waitFor('the restore to be confirmed', async () => {
    const { last_restore } = await list();
    return last_restore?.confirmed_at != null && last_restore;
  });
}

/** Two windows, splits, titles, pins, and a command. */
async function furnish(): Promise<{ command: string }> {
  await yard.call('surface.split', { direction: 'right' });
  await yard.call('tab.action', { tab_id: 'tab:1', action: 'pin' });
  await yard.call('workspace.create', { title: 'Second', description: 'text', cwd: '/tmp' });
  await yard.call('workspace.action', { workspace_id: 'workspace:2', action: 'set_color', color: 'Navy' });
  const { surface_id } = await yard.call('surface.create', { argv: ['make'], workspace_id: 'workspace:2' });
  await yard.call('pane.resize', { pane_id: 'pane:1', workspace_id: 'workspace:1', direction: 'right', amount: 80 });
  return { command: surface_id };
}

describe('snapshot.save', () => {
  it('keeps the whole tree as a generation that is listed first', async () => {
    await start();
    await furnish();
    const saved = await yard.call('snapshot.save', {});
    expect(saved).toMatchObject({
      reason: 'manual',
      clean_shutdown: null,
      window_count: 1,
      workspace_count: 2,
      panel_count: 4,
    });
    expect((await list()).snapshots[0]).toEqual(saved);
  });

  it('is private, and skips files that it can not read when it lists', async () => {
    await start();
    const { id } = await yard.call('snapshot.save', {});
    const folder = join(yard.stateDir, 'snapshots');
    const whole = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'));
    const spoiled = (name: string, change: object) =>
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...whole, id: name, ...change }));
    writeFileSync(join(folder, '20300101T000000000Z-aaaaaa.json'), '{"format":"switchyard-sna');
    spoiled('20300101T000000000Z-bbbbbb', { topology: { ...whole.topology, panes: [] } });
    spoiled('20300101T000000000Z-cccccc', { version: 9 });
    expect((await list()).snapshots.map((one) => one.id)).toEqual([id]);
    const restore = (which: string) => yard.call('snapshot.restore', { id: which });
    await expect(restore('20300101T000000000Z-aaaaaa')).rejects.toEqual(refused('not_found'));
    await expect(restore('20300101T000000000Z-bbbbbb')).rejects.toEqual(refused('not_found'));
    await expect(restore('20300101T000000000Z-cccccc')).rejects.toEqual(refused('version_mismatch'));
    await expect(restore('../../etc/passwd')).rejects.toEqual(refused('not_found'));
  });
});

describe('snapshot.restore', () => {
  it('adds the windows with new ids: shells run in their directories, commands and agents wait', async () => {
    await start();
    const { command } = await furnish();
    const [first = ''] = await surfaceIds();
    yard.host.bus?.emit('terminal.cwd_changed', { surface_id: first, cwd: '/srv/project' });
    const session = { surface_id: command, agent: 'codex', session_id: 'c-1' };
    await yard.call('surface.report_agent_session', session);
    await yard.call('snapshot.save', {});
    const before = await treeText();
    const { restored, surfaces, kept } = await yard.call('snapshot.restore', {});
    expect([restored, kept]).toEqual([{ windows: 1, workspaces: 2, panels: 4 }, []]);
    expect(surfaces.map(({ outcome }) => outcome).sort()).toEqual(['ended', 'started', 'started', 'started']);
    const [old, added] = await windowsOf();
    expect(added?.titles).toEqual(old?.titles);
    expect(added?.surfaces.filter((id) => old?.surfaces.includes(id))).toEqual([]);
    const twin = (id: string) => surfaces.find(({ was }) => was === id)?.surface_id ?? '';
    expect(yard.host.opened(twin(first)).cwd).toBe('/srv/project');
    expect((await yard.call('agent.sessions', { surface_id: twin(command) })).current).toMatchObject({
      session_id: 'c-1',
    });
    await yard.call('window.close', { window_id: 'window:2' });
    expect(await treeText()).toBe(before);
  });

  it('begins the new terminals with the text of the old ones', async () => {
    await start();
    const [first = ''] = await surfaceIds();
    yard.host.print(first, 'important result\n');
    await yard.call('snapshot.save', {});
    const { surfaces } = await yard.call('snapshot.restore', {});
    const { argv } = yard.host.opened(surfaces[0]?.surface_id ?? '');
    expect([argv[0], argv.at(-1)]).toEqual(['/bin/sh', '/bin/sh']);
    expect(readFileSync(argv.at(-2) ?? '', 'utf8')).toBe('important result\n');
    await yard.restart();
    expect(readdirSync(join(yard.stateDir, 'snapshots', 'replay'))).toEqual([]);
  });

  it('is done once for a request_id, also when the service died in the middle of it', async () => {
    await start();
    await furnish();
    await yard.call('snapshot.save', {});
    yard.host.onOpen = () => new Promise(() => undefined);
    const restore = () => yard.call('snapshot.restore', {}, { requestId: 's1' });
    void restore();
    await waitFor('the window', async () => (await windowsOf()).length === 2);
    yard.host.onOpen = () => undefined;
    await yard.crash();
    const { surfaces } = await restore();
    expect(await windowsOf()).toHaveLength(2);
    for (const { surface_id, outcome } of surfaces)
      expect(yard.host.terminals.has(surface_id)).toBe(outcome !== 'ended');
  });
});

describe('snapshot.rollback', () => {
  it('undoes what came since without ending anything, and can be undone itself', async () => {
    await start();
    const { command } = await furnish();
    await yard.call('snapshot.save', {});
    const before = await treeText();
    const { surface_id: newer } = await yard.call('surface.create', {});
    await yard.call('surface.move', { surface_id: 'surface:2', workspace_id: 'workspace:2' });
    await yard.call('workspace.rename', { workspace_id: 'workspace:2', title: 'Other' });
    const changed = await windowsOf();
    const { surfaces, kept } = await yard.call('snapshot.rollback', {});
    expect(surfaces.map(({ outcome }) => outcome)).toEqual(['running', 'running', 'running', 'running']);
    expect(kept.map(({ surface_id }) => surface_id)).toEqual([newer]);
    expect(yard.host.closed).toEqual([]);
    expect(yard.host.terminals.get(command)?.status.exit).toBeNull();
    await yard.call('workspace.close', { workspace_id: 'workspace:3' });
    expect(await treeText()).toBe(before);
    const { snapshots } = await list();
    const saved = snapshots.find(({ reason }) => reason === 'before_restore')?.id;
    await yard.call('snapshot.rollback', { id: saved });
    expect((await windowsOf()).map(({ titles }) => titles)).toEqual(changed.map(({ titles }) => titles));
  });

  it('brings back what was closed, under its id once its terminal is gone for good', async () => {
    await start({ closeUndoMs: 0 });
    await furnish();
    const [, second = ''] = await surfaceIds();
    await yard.call('snapshot.save', {});
    const before = await windowsOf();
    await yard.call('workspace.close', { workspace_id: 'workspace:2' });
    await yard.call('surface.close', { surface_id: second });
    const { surfaces } = await yard.call('snapshot.rollback', {});
    const after = await windowsOf();
    expect(after.map(({ titles, surfaces: all }) => [titles, all.length])).toEqual(
      before.map(({ titles, surfaces: all }) => [titles, all.length]),
    );
    expect(surfaces.map(({ outcome }) => outcome).sort()).toEqual(['ended', 'running', 'started', 'started']);
  });

  it('says so when nothing differs from what is there', async () => {
    await start();
    await yard.call('snapshot.save', {});
    await expect(yard.call('snapshot.rollback', {})).rejects.toEqual(refused('not_found'));
  });
});

describe('generations', () => {
  it('are taken at a stop and at the start after a crash, if something changed, and only the latest are kept', async () => {
    await start();
    await furnish();
    await yard.restart();
    const reasons = async () => (await list()).snapshots.map(({ reason, clean_shutdown }) => [reason, clean_shutdown]);
    expect(await reasons()).toEqual([['stop', true]]);
    await yard.restart();
    expect(await reasons()).toEqual([['stop', true]]);
    await confirmed();
    await yard.call('workspace.rename', { workspace_id: 'workspace:2', title: 'Other' });
    await yard.crash();
    expect(await reasons()).toEqual([
      ['start', false],
      ['stop', true],
    ]);
    for (let i = 0; i < 12; i++) {
      await yard.call('workspace.rename', { workspace_id: 'workspace:2', title: `Title ${i}` });
      await yard.restart();
    }
    expect((await list()).snapshots).toHaveLength(10);
  });

  it('are taken by themselves some time after the tree has changed, and never while it has not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await start();
      await yard.call('workspace.create', { title: 'Second' });
      vi.advanceTimersByTime(AUTO_MS);
      await waitFor('the snapshot', async () => (await list()).snapshots[0]?.reason === 'auto');
      await yard.call('workspace.select', { workspace_id: 'workspace:2' });
      vi.advanceTimersByTime(AUTO_MS);
      expect((await list()).snapshots).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('E1: hold all that was there when programs are hung up a moment before the service is told to stop', async () => {
    await start();
    await furnish();
    const all = await surfaceIds();
    for (const [i, id] of [...yard.host.terminals.keys()].entries()) {
      yard.host.exit(id, i % 2, i % 2 === 0 ? { exit_code: null, signal: 'SIGHUP' } : {});
    }
    await waitFor('them to close', async () => (await surfaceIds()).length < all.length);
    await yard.stop();
    yard.host.reboot();
    await yard.start();
    expect((await list()).snapshots[0]).toMatchObject({ reason: 'stop', panel_count: all.length });
    expect(await surfaceIds()).toEqual(all);
  });

  it('take the place of a database that is lost: running terminals find their surfaces again', async () => {
    await start();
    await furnish();
    const before = await treeText();
    await yard.stop();
    yard.breakDatabase();
    await yard.start();
    expect(await confirmed()).toMatchObject({ kind: 'recovery', problem_count: 0 });
    expect(await treeText()).toBe(before);
    expect(yard.host.closed).toEqual([]);
  });
});

describe('the restore at a start', () => {
  it('reports what runs again and what does not', async () => {
    await start();
    const { command } = await furnish();
    await yard.stop();
    yard.host.reboot();
    await yard.start();
    const report = await confirmed();
    expect(report).toMatchObject({ kind: 'start', source: null, attempts: 1, running: 3, problem_count: 1 });
    expect(report.problems).toEqual([expect.objectContaining({ surface_id: command, outcome: 'ended' })]);
  });

  it('E2: killed twice in the middle, it still has everything, keeps the last good generation, and reports what failed', async () => {
    await start();
    await furnish();
    const all = await surfaceIds();
    await yard.stop();
    yard.host.reboot();
    const good = async () => (await list()).last_restore?.before;
    yard.host.onOpen = () => new Promise(() => undefined);
    await yard.start();
    const before = await good();
    expect(before).toEqual(expect.any(String));
    for (let attempt = 2; attempt <= 3; attempt++) {
      yard.host.onOpen = () => new Promise(() => undefined);
      await yard.crash();
      expect((await list()).last_restore).toMatchObject({ before, attempts: attempt, confirmed_at: null });
    }
    let tries = 0;
    yard.host.onOpen = ({ surface_id }) => {
      tries++;
      if (surface_id === all[1]) fail('directory_not_found', 'No such directory');
    };
    await yard.crash();
    const report = await confirmed();
    expect(tries).toBeGreaterThan(0);
    expect(await surfaceIds()).toEqual(all);
    expect(report.problems).toContainEqual(expect.objectContaining({ surface_id: all[1], outcome: 'failed' }));
    const { snapshots } = await list();
    expect(snapshots.find(({ id }) => id === before)).toMatchObject({ panel_count: all.length });
  });

  it('E2: a shell that ends as soon as it is started again does not leave the tree', async () => {
    await start();
    await yard.call('surface.split', { direction: 'right' });
    const [, second = ''] = await surfaceIds();
    await yard.stop();
    yard.host.reboot();
    await yard.start();
    await waitFor('the shell', () => yard.host.terminals.has(second));
    yard.host.exit(second, 127, { at: Date.now() + 5 });
    const { problems } = await confirmed();
    expect(problems).toEqual([expect.objectContaining({ surface_id: second, outcome: 'failed' })]);
    await yard.call('surface.respawn', { surface_id: second });
    expect(yard.host.terminals.get(second)?.status.exit).toBeNull();
  });

  it('does not keep a yard from starting when the report of the last one is spoiled', async () => {
    await start();
    await furnish();
    await yard.stop();
    writeFileSync(join(yard.stateDir, 'last-restore.json'), 'not json');
    await yard.start();
    expect(await surfaceIds()).toHaveLength(4);
  });
});

describe('E7: a recorded surface whose terminal is gone', () => {
  it('says so to who attaches, and can be closed at once', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', { argv: ['make'] });
    await yard.stop();
    yard.host.reboot();
    await yard.start();
    await confirmed();
    const rows = (await yard.call('surface.list', {})).surfaces;
    expect(rows.find(({ id }) => id === surface_id)?.exit).toMatchObject({ reason: 'lost' });
    const gone = expect.objectContaining({ code: 'not_found', message: expect.stringContaining('gone') });
    await expect(yard.call('surface.snapshot', { surface_id })).rejects.toEqual(gone);
    await expect(yard.call('surface.send_text', { surface_id, text: 'x' })).rejects.toEqual(gone);
    expect(await yard.call('surface.close', { surface_id, now: true })).toMatchObject({ surface_id, survivors: [] });
    expect(await surfaceIds()).not.toContain(surface_id);
  });
});
