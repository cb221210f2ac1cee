import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

let yard: FakeYard;
let workspaceId: string;
let surfaceId: string;

beforeEach(async () => {
  yard = await startFakeYard();
  const { focused } = await yard.call('system.identify', {});
  workspaceId = focused?.workspace_id ?? '';
  surfaceId = focused?.surface_id ?? '';
});
afterEach(() => yard.end());

const now = async () => (await yard.call('events.read', { limit: 0, cursor: await end() })).cursor;
const rename = (title: string) => yard.call('workspace.rename', { workspace_id: workspaceId, title });
const kindsOf = (events: readonly { kind: string }[]) => events.map(({ kind }) => kind);
const titlesOf = (events: readonly { data: object }[]) =>
  events.flatMap(({ data }) => ('custom_title' in data ? [data.custom_title] : []));

/** The cursor after everything there is. */
async function end(): Promise<string> {
  let page = await yard.call('events.read', { limit: 1000 });
  while (page.more) page = await yard.call('events.read', { limit: 1000, cursor: page.cursor });
  return page.cursor;
}

describe('the journal', () => {
  it('begins with how the yard began', async () => {
    const { events, more } = await yard.call('events.read', {});
    expect(kindsOf(events).slice(0, 6)).toEqual([
      'window.created',
      'workspace.created',
      'pane.created',
      'surface.created',
      'window.activated',
      'surface.focused',
    ]);
    expect(events[3]).toMatchObject({ workspace_id: workspaceId, surface_id: surfaceId, data: { reopened: false } });
    expect(more).toBe(false);
  });

  it('C1: tells 600 renames as 600 events, in order', async () => {
    const cursor = await end();
    for (let i = 0; i < 600; i++) await rename(`title ${i}`);
    const { events } = await yard.call('events.read', { cursor, limit: 1000, kinds: ['workspace.renamed'] });
    expect(titlesOf(events)).toEqual(Array.from({ length: 600 }, (_, i) => `title ${i}`));
  });

  it('C2: has for a cursor exactly what was missed, and for its end only what comes', async () => {
    const cursor = await end();
    for (let i = 0; i < 10; i++) await rename(`thing ${i}`);
    const missed = await yard.call('events.read', { cursor });
    expect(titlesOf(missed.events)).toHaveLength(10);
    expect((await yard.call('events.read', { cursor: missed.cursor })).events).toEqual([]);
    await rename('later');
    expect(titlesOf((await yard.call('events.read', { cursor: missed.cursor })).events)).toEqual(['later']);
    const fourth = missed.events[3]?.cursor ?? '';
    expect(titlesOf((await yard.call('events.read', { cursor: fourth })).events)).toHaveLength(7);
  });

  it('keeps its cursors over a restart and over a crash, and numbers on', async () => {
    const cursor = await end();
    await rename('before');
    await yard.restart();
    await rename('between');
    await yard.crash();
    await rename('after');
    const { events, gap } = await yard.call('events.read', { cursor, kinds: ['workspace.renamed'] });
    expect(titlesOf(events)).toEqual(['before', 'between', 'after']);
    expect(gap).toBeUndefined();
  });

  it('says so when it was lost: the cursor is of another journal', async () => {
    const cursor = await end();
    await yard.stop();
    yard.breakDatabase();
    yard.host.reboot();
    await yard.start();
    const { gap, events } = await yard.call('events.read', { cursor });
    expect(gap).toMatchObject({ reason: 'replaced', from: cursor, count: null });
    expect(kindsOf(events)).toContain('window.created');
  });

  it('refuses a cursor that never was one, and a kind that is none', async () => {
    await expect(yard.call('events.read', { cursor: 'yesterday' })).rejects.toMatchObject({ code: 'invalid_params' });
    const asked = yard.call('events.read', { kinds: ['workspace.painted'] });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_params', data: { kind: 'workspace.painted' } });
  });

  it('tells nothing of a request that was refused', async () => {
    const cursor = await end();
    await expect(yard.call('surface.close', { surface_id: surfaceId })).rejects.toMatchObject({});
    expect((await yard.call('events.read', { cursor })).events).toEqual([]);
  });

  it('tells of a closed surface and of its exit, also when the exit comes later', async () => {
    const { surface_id } = await yard.call('surface.split', { direction: 'right' });
    const cursor = await end();
    yard.host.exit(surface_id, 3);
    const { event } = await yard.call('events.wait', {
      match: { kinds: ['surface.closed'], surfaces: [surface_id] },
      cursor,
    });
    expect(event.workspace_id).toBe(workspaceId);
    const { events } = await yard.call('events.read', {
      cursor,
      kinds: ['surface.*', 'pane.closed', 'layout.changed'],
    });
    expect(kindsOf(events)).toEqual(expect.arrayContaining(['surface.exited', 'surface.closed', 'layout.changed']));
    expect(events.find(({ kind }) => kind === 'surface.exited')?.data).toMatchObject({ exit: { exit_code: 3 } });
  });

  it('filters by surface and by workspace, either of them', async () => {
    const other = await yard.call('workspace.create', {});
    const cursor = await end();
    await rename('one');
    await yard.call('workspace.rename', { workspace_id: other.workspace_id, title: 'two' });
    const asked = { cursor, surfaces: [surfaceId], workspaces: [other.workspace_id] };
    expect(titlesOf((await yard.call('events.read', asked)).events)).toEqual(['two']);
    const gone = { surfaces: ['surface:77'] };
    await expect(yard.call('events.read', gone)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells what is known of agents as it changes, each time once', async () => {
    const cursor = await end();
    const report = (state: string) =>
      yard.call('surface.report_agent_state', { workspace_id: workspaceId, surface_id: surfaceId, state });
    await report('working');
    await report('working');
    await report('idle');
    await yard.call('surface.clear_agent_state', { workspace_id: workspaceId, surface_id: surfaceId });
    const { events } = await yard.call('events.read', { cursor, kinds: ['agent.state_changed'] });
    expect(events.map(({ data }) => (data as { state: unknown }).state)).toEqual(['working', 'idle', null]);
    expect(events[1]?.data).toMatchObject({ previous: { state: 'working', source: 'hooks' } });
  });

  it('E8: nothing is written while nothing changes, whatever is said again', async () => {
    for (let i = 1; i < 100; i++) await yard.call('surface.create', {});
    const { surfaces } = await yard.call('surface.list', {});
    const say = () => {
      for (const { id } of surfaces) {
        yard.bus.emit('terminal.title_changed', { surface_id: id, title: 'idle' });
        yard.bus.emit('terminal.cwd_changed', { surface_id: id, cwd: '/tmp' });
        yard.bus.emit('terminal.output', { surface_id: id, offset: 1, rev: 1 });
      }
    };
    say();
    const [cursor, written] = [await end(), yard.stateBytes()];
    for (let hour = 0; hour < 10; hour++) say();
    expect(await end()).toBe(cursor);
    expect(yard.stateBytes()).toEqual(written);
  });
});

describe('journal.append', () => {
  const ready = (key: string, instance = key) => ({
    key,
    kind: 'service.stopped',
    data: { service: 'notifier', address: '_', instance },
  });

  it('takes each event once, whoever hands it in again, also after a restart', async () => {
    const cursor = await end();
    expect(await yard.call('journal.append', { events: [ready('a'), ready('a'), ready('b')] })).toEqual({
      appended: 2,
    });
    await yard.restart();
    expect(await yard.call('journal.append', { events: [ready('b'), ready('c')] })).toEqual({ appended: 1 });
    const { events } = await yard.call('events.read', { cursor, kinds: ['service.stopped'] });
    expect(events.map(({ data }) => (data as { instance: string }).instance)).toEqual(['a', 'b', 'c']);
  });

  it('refuses all when one is of no kind, or not of the shape of its kind', async () => {
    const cursor = await end();
    const bad = { key: 'z', kind: 'service.stopped', data: { service: 'nobody' } };
    const odd = { key: 'y', kind: 'service.painted', data: {} };
    for (const wrong of [bad, odd]) {
      const asked = yard.call('journal.append', { events: [ready('x'), wrong] });
      await expect(asked).rejects.toMatchObject({ code: 'invalid_params', data: { key: wrong.key } });
    }
    expect((await yard.call('events.read', { cursor })).events).toEqual([]);
  });

  it('puts an event of a surface into the workspace of the surface', async () => {
    const cursor = await end();
    const exit = { exit_code: 0, signal: null, offset: 1, at: 1 };
    await yard.call('journal.append', {
      events: [{ key: 'k', kind: 'surface.exited', surface_id: surfaceId, data: { exit } }],
    });
    expect((await yard.call('events.read', { cursor })).events[0]).toMatchObject({ workspace_id: workspaceId });
  });
});

describe('events.wait', () => {
  it('answers with the next event that matches, and with one that was missed', async () => {
    const cursor = await now();
    const waiting = yard.call('events.wait', { match: { kinds: ['workspace.renamed'], data: { title: 'b' } } });
    await delay(0);
    await rename('a');
    await rename('b');
    expect((await waiting).event.data).toMatchObject({ title: 'b' });
    const missed = await yard.call('events.wait', { match: { kinds: ['workspace.*'] }, cursor });
    expect(missed.event.data).toMatchObject({ title: 'a' });
  });

  it('gives up in time', async () => {
    const asked = yard.call('events.wait', { match: { kinds: ['window.closed'] }, timeout_ms: 20 });
    await expect(asked).rejects.toMatchObject({ code: 'timeout', data: { timeout_ms: 20 } });
  });

  it('C10: is answered at once when the terminal it waits for is closed', async () => {
    const { surface_id } = await yard.call('surface.split', { direction: 'right' });
    await yard.call('surface.report_agent_state', { workspace_id: workspaceId, surface_id, state: 'working' });
    const match = { kinds: ['agent.state_changed'], surfaces: [surface_id], data: { state: 'idle' } };
    const waits = [
      yard.call('events.wait', { match, timeout_ms: 60_000 }),
      yard.call('surface.wait', { surface_id, agent_state: 'idle', timeout_ms: 60_000 }),
    ].map((wait) => wait.catch((error: { code: string }) => error.code));
    await delay(0);
    await yard.call('surface.close', { surface_id });
    expect(await Promise.all(waits)).toEqual(['not_found', 'not_found']);
  });

  it('is answered by the closing itself when that is what it waits for', async () => {
    const { surface_id } = await yard.call('surface.split', { direction: 'right' });
    const waiting = yard.call('events.wait', { match: { kinds: ['surface.closed'], surfaces: [surface_id] } });
    await delay(0);
    await yard.call('surface.close', { surface_id });
    expect((await waiting).event).toMatchObject({ kind: 'surface.closed', surface_id });
  });
});
