import { join } from 'node:path';
import { type Answers, type FakeBus, fakeBus, type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build } from '../src/notifier.js';

const W = { window_id: 'WIN', window_ref: 'window:1', workspace_id: 'WS', workspace_ref: 'workspace:1' };
const surface = (n: number, more: object = {}) => ({
  id: `S${n}`,
  ref: `surface:${n}`,
  index: n,
  type: 'terminal' as const,
  title: `t${n}`,
  custom_title: null,
  focused: n === 1,
  pane_id: 'P',
  pane_ref: 'pane:1',
  index_in_pane: n,
  selected_in_pane: n === 1,
  pinned: false,
  agent_state: null,
  agent_state_source: null,
  agent: null,
  agent_activity: 'unknown' as const,
  agent_question: null,
  agent_since: null,
  agent_session_id: null,
  host: 'local',
  cwd: null,
  git: null,
  exit: null,
  ...more,
});

describe('the notifier', () => {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  let dir: TempDir;
  let app: Awaited<ReturnType<typeof build>>;
  let bus: FakeBus;
  const answers = (surfaces = [surface(1), surface(2)]): Answers => ({
    'surface.list': () => ({ ...W, surfaces }),
    'workspace.current': () => ({ ...W, workspace: {} as never }),
  });
  const start = async (more: Answers = {}) => {
    bus = fakeBus({ ...answers(), ...more });
    app = build({ bus, log, env: { address: '_', paths: { stateDir: join(dir.path, 'state') } } } as never);
    await app.start();
  };
  const list = async () => (await bus.call('notification.list', {})).notifications;

  beforeEach(async () => {
    dir = tempDir('sy-notify');
    await start();
  });
  afterEach(async () => {
    await app.stop();
    dir.remove();
  });

  it('notifies about the focused surface by default, with a default title', async () => {
    expect(await bus.call('notification.create', { body: 'done' })).toEqual({ workspace_id: 'WS', surface_id: 'S1' });
    expect(await list()).toMatchObject([
      { workspace_id: 'WS', surface_id: 'S1', is_read: false, title: 'Notification', subtitle: '', body: 'done' },
    ]);
  });

  it('takes a surface by its id in any case, or by its ref', async () => {
    for (const surface_id of ['s2', 'surface:2', 'tab:2']) {
      const made = await bus.call('notification.create_for_surface', { surface_id });
      expect(made).toEqual({ ...W, surface_id: 'S2', surface_ref: 'surface:2' });
    }
    const unknown = bus.call('notification.create_for_surface', { surface_id: 'surface:9' });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps one per surface, the newest, and lists the newest first', async () => {
    await bus.call('notification.create_for_surface', { surface_id: 'S1', title: 'one' });
    await bus.call('notification.create_for_surface', { surface_id: 'S2', title: 'two' });
    await bus.call('notification.create_for_target', { workspace_id: 'WS', surface_id: 'S1', title: 'three' });
    expect((await list()).map(({ title }) => title)).toEqual(['three', 'two']);
  });

  it('names the surface when a person has named it', async () => {
    await app.stop();
    await start(answers([surface(1, { custom_title: 'build' })]));
    await bus.call('notification.create', { title: 'Done' });
    expect((await list())[0]?.title).toBe('Done — build');
  });

  it('H3: keeps the text of a notification as it was sent, and refuses what is too long', async () => {
    const body = '\u001b]0;x\u0007 line\nnext \u202e reversed';
    await bus.call('notification.create', { body });
    expect((await list())[0]?.body).toBe(body);
    const tooLong = bus.call('notification.create', { title: 'x'.repeat(10_000) });
    await expect(tooLong).rejects.toMatchObject({ code: 'invalid_params', data: { limit: 4096, bytes: 10_000 } });
  });

  it('counts as read what belongs to the surface that gets the focus', async () => {
    await bus.call('notification.create_for_surface', { surface_id: 'S1' });
    await bus.call('notification.create_for_surface', { surface_id: 'S2' });
    bus.emit('surface.focused', { surface_id: 'S2', workspace_id: 'WS' });
    expect((await list()).map(({ surface_id, is_read }) => [surface_id, is_read])).toEqual([
      ['S2', true],
      ['S1', false],
    ]);
  });

  it('removes those of a closed surface, of a closed workspace, of a named workspace, and all', async () => {
    const make = () => bus.call('notification.create_for_surface', { surface_id: 'S1' });
    await make();
    bus.emit('surface.closed', { surface_id: 'S1', workspace_id: 'WS' });
    expect(await list()).toEqual([]);
    await make();
    bus.emit('workspace.closed', { workspace_id: 'WS' });
    expect(await list()).toEqual([]);
    await make();
    const cleared = await bus.call('notification.clear', { workspace_id: 'workspace:1' });
    expect(cleared).toEqual({ workspace_id: 'WS', workspace_ref: 'workspace:1' });
    expect(await list()).toEqual([]);
    await make();
    expect(await bus.call('notification.clear', {})).toEqual({});
    expect(await list()).toEqual([]);
  });

  it('still has everything after a restart, except what belongs to surfaces closed meanwhile', async () => {
    await bus.call('notification.create_for_surface', { surface_id: 'S1', title: 'stays' });
    await bus.call('notification.create_for_surface', { surface_id: 'S2', title: 'goes' });
    await app.stop();
    const tree = { windows: [{ workspaces: [{ panes: [{ surface_ids: ['S1'] }] }] }], active: null, caller: null };
    await start({ 'system.tree': () => tree as never });
    await waitFor('the closed surface has no notification', async () => (await list()).length === 1);
    expect((await list())[0]).toMatchObject({ title: 'stays', surface_id: 'S1' });
  });

  it('keeps a bounded number, the newest', async () => {
    await app.stop();
    let n = 0;
    await start({ 'surface.list': () => ({ ...W, surfaces: [surface(++n, { focused: true })] }) });
    for (let i = 0; i < 1010; i++) await bus.call('notification.create', { title: `n${i}` });
    const titles = (await list()).map(({ title }) => title);
    expect(titles).toHaveLength(1000);
    expect([titles[0], titles.at(-1)]).toEqual(['n1009', 'n10']);
  });
});
