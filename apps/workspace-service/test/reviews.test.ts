import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

let yard: FakeYard;
let source: string;
const start = async (options?: YardOptions) => {
  yard = await startFakeYard(options);
  source = (await surfaces())[0]?.id ?? '';
};
beforeEach(() => start());
afterEach(() => yard.end());

const surfaces = async () => (await yard.call('surface.list', {})).surfaces;
const types = async () => (await surfaces()).map(({ type }) => type);
const panes = async () => (await yard.call('pane.list', {})).panes;
const refused = (code: string) => expect.objectContaining({ code });
const open = (more: object = {}) =>
  yard.call('review.panel_open', {
    surface_id: randomUUID().toUpperCase(),
    source_surface_id: source,
    directory: '/srv/repo',
    mode: 'uncommitted',
    base_branch: null,
    direction: 'right',
    focus: false,
    ...more,
  });

describe('a review', () => {
  it('is a surface of its own type in a new pane, and leaves the focus where it is', async () => {
    const opened = await open();
    expect(await types()).toEqual(['terminal', 'review']);
    expect(await panes()).toMatchObject([{ focused: true }, { id: opened.pane_id, focused: false }]);
    expect(await surfaces()).toMatchObject([{ id: source }, { title: 'Review: repo', cwd: '/srv/repo', exit: null }]);
    expect(yard.host.spawns).toBe(1);
  });

  it('takes half of the pane, so that the terminal gets narrower', async () => {
    await open();
    await vi.waitFor(() => expect(yard.host.terminals.get(source)?.status).toMatchObject({ cols: 100 }));
  });

  it('gets the focus, its workspace selected, only when asked', async () => {
    const elsewhere = await yard.call('workspace.create', {});
    await yard.call('workspace.select', { workspace_id: elsewhere.workspace_id });
    const { surface_id } = await open({ focus: true });
    expect(await yard.call('surface.current', {})).toMatchObject({ surface_id, surface_type: 'review' });
  });

  it('is made once for one id, also after a restart', async () => {
    const surface_id = randomUUID().toUpperCase();
    const first = await open({ surface_id });
    await yard.crash();
    expect(await open({ surface_id })).toEqual(first);
    expect(await types()).toEqual(['terminal', 'review']);
  });

  it('counts as a pane', async () => {
    await yard.end();
    await start({ paneCap: 1 });
    await expect(open()).rejects.toEqual(refused('invalid_state'));
  });

  it('is about the surface named, else the focused one, else what the focused review is about', async () => {
    const asked = await yard.call('review.panel_source', {});
    expect(asked).toMatchObject({ surface_id: source, directory: '/home/someone' });
    const { surface_id } = await open({ focus: true });
    expect(await yard.call('review.panel_source', {})).toEqual(asked);
    expect(await yard.call('review.panel_source', { surface_id })).toEqual(asked);
  });

  it('is found by its name, else as the focused surface, else as any of the workspace', async () => {
    await expect(yard.call('review.panel_find', {})).rejects.toEqual(refused('not_found'));
    const first = await open({ mode: 'branch', base_branch: 'trunk' });
    const second = await open({ focus: true });
    const found = async (params: object) => (await yard.call('review.panel_find', params)).surface_id;
    expect(await found({})).toBe(second.surface_id);
    expect(await found({ surface_id: first.surface_ref })).toBe(first.surface_id);
    await yard.call('surface.focus', { surface_id: source });
    expect(await found({})).toBe(second.surface_id);
    await expect(yard.call('review.panel_find', { surface_id: source })).rejects.toEqual(refused('not_found'));
    expect(await yard.call('review.panel_find', { surface_id: first.surface_id })).toMatchObject({
      source_surface_id: source,
      directory: '/srv/repo',
      mode: 'branch',
      base_branch: 'trunk',
    });
  });

  it('closes with its pane, can be opened again for a while, and is told to be gone', async () => {
    const { surface_id } = await open();
    await yard.call('review.close', {});
    expect(await types()).toEqual(['terminal']);
    expect(await panes()).toHaveLength(1);
    expect(yard.published('surface.closed')).toMatchObject([{ surface_id }]);
    await yard.call('surface.reopen', { surface_id });
    expect(await types()).toContain('review');
  });

  it('is gone after the grace, without a process that would be ended', async () => {
    await yard.end();
    await start({ closeUndoMs: 0 });
    const { surface_id } = await open();
    await yard.call('surface.close', { surface_id });
    await expect(yard.call('surface.reopen', { surface_id })).rejects.toEqual(refused('not_found'));
    const now = await open();
    expect(await yard.call('surface.close', { surface_id: now.surface_id, now: true })).toMatchObject({
      survivors: [],
    });
    expect(yard.host.closed).toEqual([]);
  });

  it('stays when what it is about is closed', async () => {
    const { surface_id } = await open();
    await yard.call('surface.close', { surface_id: source });
    expect(await types()).toEqual(['review']);
    expect(await yard.call('review.panel_find', {})).toMatchObject({ surface_id, source_surface_id: source });
    await expect(yard.call('review.panel_source', {})).rejects.toEqual(refused('not_found'));
    await expect(yard.call('review.close', {})).rejects.toEqual(refused('invalid_state'));
  });

  it('survives a restart, and is not taken for a terminal that was lost', async () => {
    const { surface_id } = await open();
    await yard.restart();
    expect(await surfaces()).toMatchObject([{ id: source }, { id: surface_id, type: 'review', exit: null }]);
    expect(yard.host.spawns).toBe(1);
    const listed = { surface_id, source_surface_id: source, state: null, since: null };
    expect(await yard.call('review.panel_list', {})).toEqual({ reviews: [listed] });
  });

  it('cannot be typed to or read', async () => {
    const { surface_id } = await open();
    for (const [method, params] of [
      ['surface.send_text', { text: 'x' }],
      ['surface.send_key', { key: 'enter' }],
      ['surface.read_text', {}],
      ['agent.prompt', { text: 'x' }],
    ] as const) {
      await expect(yard.call(method, { surface_id, ...params })).rejects.toEqual(refused('invalid_params'));
    }
  });

  it('has terminals opened beside it that start in the worktree', async () => {
    const { surface_id } = await open();
    const beside = await yard.call('surface.split', { surface_id, direction: 'down' });
    expect(yard.host.opened(beside.surface_id)).toMatchObject({ cwd: '/srv/repo' });
  });
});
