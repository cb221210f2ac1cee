import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestNotifier, W } from './support/notifier.js';

let notifier: TestNotifier;
beforeEach(async () => {
  notifier = new TestNotifier();
  await notifier.start();
});
afterEach(() => notifier.end());

const create = (surface_id: string, title?: string) =>
  notifier.bus.call('notification.create_for_surface', { surface_id, ...(title !== undefined && { title }) });
const titles = async () => (await notifier.list()).map(({ title }) => title);

describe('a notification', () => {
  it('is about the focused surface by default, with a default title', async () => {
    const made = await notifier.bus.call('notification.create', { body: 'done' });
    expect(made).toEqual({ workspace_id: 'WS', surface_id: 'S1' });
    const about = { workspace_id: 'WS', surface_id: 'S1', workspace: 'api', reason: 'request' };
    const text = { title: 'Notification', subtitle: '', body: 'done', excerpt: 'done' };
    const action = { kind: 'look', command: 'sy attach surface:1' };
    expect(await notifier.list()).toMatchObject([{ ...about, ...text, is_read: false, action }]);
  });

  it('takes a surface by its id in any case, or by its ref', async () => {
    for (const surface_id of ['s2', 'surface:2', 'tab:2']) {
      expect(await create(surface_id)).toEqual({ ...W, surface_id: 'S2', surface_ref: 'surface:2' });
    }
    await expect(create('surface:9')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is one per surface, the newest, and the newest comes first', async () => {
    await create('S1', 'one');
    await create('S2', 'two');
    await notifier.bus.call('notification.create_for_target', { workspace_id: 'WS', surface_id: 'S1', title: 'three' });
    expect(await titles()).toEqual(['three', 'two']);
  });

  it('names the surface when a person has named it', async () => {
    notifier.surfaces.set('S1', { custom_title: 'build' });
    await notifier.bus.call('notification.create', { title: 'Done' });
    expect(await titles()).toEqual(['Done — build']);
  });

  it('H3: has its text as it was sent for readers of JSON, and clean for all others; too long a text is refused', async () => {
    const body = '\u001b]0;x\u0007 line\nnext \u202e reversed';
    await notifier.bus.call('notification.create', { title: '\u001b[31mred', body });
    expect((await notifier.list())[0]).toMatchObject({ body, title: '\u001b[31mred', excerpt: 'line next reversed' });
    await waitFor('the journal is told', () => notifier.told.length === 1);
    expect(notifier.told[0]?.data).toMatchObject({ title: 'red', excerpt: 'line next reversed' });
    const tooLong = notifier.bus.call('notification.create', { title: 'x'.repeat(10_000) });
    await expect(tooLong).rejects.toMatchObject({ code: 'invalid_params', data: { limit: 4096, bytes: 10_000 } });
  });

  it('is made once for one request_id, over a restart too', async () => {
    const again = () => notifier.bus.call('notification.create', { title: 'once' }, { requestId: 'r1' });
    const first = await again();
    await notifier.bus.call('notification.clear', {});
    expect(await again()).toEqual(first);
    await notifier.restart();
    expect(await again()).toEqual(first);
    expect(await notifier.list()).toEqual([]);
  });

  it('is told to the journal, with its marks and its end, each once', async () => {
    await create('S1', 'one');
    await notifier.bus.call('notification.mark_read', { surface_id: 'S1' });
    await notifier.bus.call('notification.clear', {});
    await waitFor('all is told', () => notifier.told.length === 3);
    expect(notifier.kinds()).toEqual(['notification.created', 'notification.read', 'notification.cleared']);
    expect(notifier.told[0]).toMatchObject({ surface_id: 'S1', data: { title: 'one', suppressed: 'no_adapter' } });
  });

  it('is kept, in a bounded number of which the oldest go', async () => {
    for (let i = 0; i < 1010; i++) notifier.surfaces.set(`S${i}`, {});
    for (let i = 0; i < 1010; i++) await create(`S${i}`, `n${i}`);
    const all = await titles();
    expect([all.length, all[0], all.at(-1)]).toEqual([1000, 'n1009', 'n10']);
  });
});

describe('the list', () => {
  it('comes in pages, each with what is older than the last row of the one before', async () => {
    for (let i = 1; i <= 5; i++) {
      notifier.surfaces.set(`S${i}`, {});
      await create(`S${i}`, `n${i}`);
    }
    const page = (cursor?: string) => notifier.bus.call('notification.list', { limit: 2, ...(cursor && { cursor }) });
    const first = await page();
    expect(first.notifications.map(({ title }) => title)).toEqual(['n5', 'n4']);
    await notifier.bus.call('notification.clear', { ids: first.notifications.map(({ id }) => id) });
    notifier.surfaces.set('S6', {});
    await create('S6', 'n6');
    const second = await page(first.next_cursor ?? '');
    expect(second.notifications.map(({ title }) => title)).toEqual(['n3', 'n2']);
    const third = await page(second.next_cursor ?? '');
    expect([third.notifications.map(({ title }) => title), third.next_cursor]).toEqual([['n1'], null]);
    await expect(page('nonsense')).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('can be of those that nobody has read; marks are the same for all', async () => {
    await create('S1', 'one');
    await create('S2', 'two');
    expect(await notifier.bus.call('notification.mark_read', { surface_id: 'S1' })).toEqual({ changed: 1 });
    expect(await notifier.bus.call('notification.mark_read', { surface_id: 'S1' })).toEqual({ changed: 0 });
    const unread = async (unread: boolean) =>
      (await notifier.bus.call('notification.list', { unread })).notifications.map(({ title }) => title);
    expect([await unread(true), await unread(false)]).toEqual([['two'], ['one']]);
    await notifier.bus.call('notification.mark_read', { is_read: false });
    expect(await unread(true)).toEqual(['two', 'one']);
    expect(await notifier.bus.call('notification.mark_read', { before: 1 })).toEqual({ changed: 0 });
  });

  it('loses those of closed surfaces and workspaces, of a named workspace, of a time, and all', async () => {
    await create('S1');
    notifier.bus.emit('surface.closed', { surface_id: 'S1', workspace_id: 'WS' });
    expect(await notifier.list()).toEqual([]);
    await create('S1');
    notifier.bus.emit('workspace.closed', { workspace_id: 'WS' });
    expect(await notifier.list()).toEqual([]);
    await create('S1');
    await notifier.bus.call('notification.clear', { before: 1 });
    expect(await titles()).toHaveLength(1);
    const cleared = await notifier.bus.call('notification.clear', { workspace_id: 'workspace:1' });
    expect(cleared).toEqual({ workspace_id: 'WS', workspace_ref: 'workspace:1' });
    expect(await notifier.list()).toEqual([]);
    await create('S1');
    expect(await notifier.bus.call('notification.clear', {})).toEqual({});
    expect(await notifier.list()).toEqual([]);
  });

  it('is all there after a restart, except what belongs to surfaces closed meanwhile', async () => {
    await create('S1', 'stays');
    await create('S2', 'goes');
    await notifier.stop();
    notifier.surfaces.delete('S2');
    await notifier.start();
    await waitFor('the closed surface has no notification', async () => (await notifier.list()).length === 1);
    expect((await notifier.list())[0]).toMatchObject({ title: 'stays', surface_id: 'S1' });
  });
});

describe('the focus', () => {
  it('makes what belongs to its surface read, and flashes it', async () => {
    await create('S1');
    await create('S2');
    notifier.bus.emit('surface.focused', { surface_id: 'S2', workspace_id: 'WS' });
    await waitFor('it flashes', () => notifier.flashes === 1);
    expect((await notifier.list()).map(({ surface_id, is_read }) => [surface_id, is_read])).toEqual([
      ['S2', true],
      ['S1', false],
    ]);
  });
});
