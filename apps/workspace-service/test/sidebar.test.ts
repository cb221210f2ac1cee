import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard } from './fake-yard.js';

let yard: FakeYard;
let at: { workspace_id: string };
let surface_id: string;

beforeEach(async () => {
  yard = await startFakeYard();
  const { focused } = await yard.call('system.identify', {});
  at = { workspace_id: focused?.workspace_id ?? '' };
  surface_id = focused?.surface_id ?? '';
});
afterEach(() => yard.end());

const state = () => yard.call('workspace.sidebar_state', at);
const setStatus = (key: string, value: string, more: object = {}) =>
  yard.call('workspace.set_status', { ...at, key, value, ...more });

/** What `metadata.*` events were told since a cursor. */
async function toldSince(cursor: string) {
  const { events } = await yard.call('events.read', { cursor, kinds: ['metadata.*'], limit: 1000 });
  return events.map(({ kind, data }) => [kind.replace('metadata.', ''), data]);
}
async function end(): Promise<string> {
  let page = await yard.call('events.read', { limit: 1000 });
  while (page.more) page = await yard.call('events.read', { limit: 1000, cursor: page.cursor });
  return page.cursor;
}

describe('lines beside a workspace', () => {
  it('are listed by priority, then the newest first, and found again by their keys', async () => {
    await setStatus('build', 'compiling', { icon: 'hammer', color: 'orange', url: 'https://ci.example.org/1' });
    await setStatus('low', 'x', { priority: '-3' });
    await setStatus('tests', 'green', { format: 'markdown' });
    await setStatus('top', 'y', { priority: 5 });
    await setStatus('build', 'done');
    const { entries } = await yard.call('workspace.list_status', at);
    expect(entries.map(({ key }) => key)).toEqual(['top', 'build', 'tests', 'low']);
    expect(entries[1]).toMatchObject({ value: 'done', icon: null, color: null, priority: 0, format: 'plain' });
    expect((await state()).status_entries).toEqual(entries);
    await yard.call('workspace.clear_status', { ...at, key: 'build' });
    expect((await state()).status_entries.map(({ key }) => key)).toEqual(['top', 'tests', 'low']);
  });

  it('are at most 128: the oldest goes first, and that is told', async () => {
    for (let i = 0; i < 128; i++) await setStatus(`key ${i}`, 'x');
    await setStatus('key 0', 'again');
    const cursor = await end();
    await setStatus('one more', 'x');
    const keys = (await state()).status_entries.map(({ key }) => key);
    expect(keys).toHaveLength(128);
    expect(keys).toContain('key 0');
    expect(keys).not.toContain('key 1');
    expect(await toldSince(cursor)).toEqual([
      ['status_changed', { key: 'one more', label: null, value: 'x', color: null }],
      ['status_changed', { key: 'key 1', label: null, value: null, color: null }],
    ]);
  });

  it('register the process of an agent, until they are cleared', async () => {
    await setStatus('claude', 'thinks', { pid: 4711 });
    await yard.call('workspace.clear_status', { ...at, key: 'claude' });
    expect((await state()).status_entries).toEqual([]);
  });

  it('are answered for a workspace that is gone, and kept nowhere', async () => {
    const gone = { workspace_id: 'workspace:77', key: 'build', value: 'x' };
    expect(await yard.call('workspace.set_status', gone)).toEqual({ ...gone, workspace_ref: null });
    await expect(yard.call('workspace.set_status', { ...gone, workspace_id: 'here' })).rejects.toMatchObject({
      code: 'invalid_params',
    });
    await expect(yard.call('workspace.list_status', { workspace_id: 'workspace:77' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('limits', () => {
  it.each([
    ['workspace.set_status', { key: 'é'.repeat(257), value: 'x' }],
    ['workspace.set_status', { key: 'a\u001bb', value: 'x' }],
    ['workspace.set_status', { key: 'k', value: 'x'.repeat(16 * 1024 + 1) }],
    ['workspace.set_status', { key: 'k', value: '   ' }],
    ['workspace.set_status', { key: 'k', value: '\u001b[31m' }],
    ['workspace.set_status', { key: 'k', value: 'x', icon: 'x'.repeat(257) }],
    ['workspace.set_status', { key: 'k', value: 'x', color: 'x'.repeat(129) }],
    ['workspace.set_status', { key: 'k', value: 'x', url: 'file:///etc/passwd' }],
    ['workspace.set_status', { key: 'k', value: 'x', url: `https://x/${'x'.repeat(4096)}` }],
    ['workspace.set_status', { key: 'k', value: 'x', priority: 10_000 }],
    ['workspace.log', { message: 'é'.repeat(32 * 1024 + 1) }],
    ['workspace.log', { message: 'x', source: 'x'.repeat(513) }],
    ['workspace.log', { message: 'x', level: 'loud' }],
    ['workspace.set_progress', { value: 'half' }],
    ['workspace.set_progress', { value: 0.5, label: 'x'.repeat(513) }],
    ['workspace.report_meta_block', { key: 'k', markdown: 'x'.repeat(256 * 1024 + 1) }],
    ['metadata.set_progress', { key: 'k', value: 1, total: 0 }],
  ] as const)('of %s are kept: %#', async (method, params) => {
    await expect(yard.call(method, { ...at, ...params })).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('count bytes: what just fits is taken', async () => {
    const key = 'é'.repeat(256);
    expect(await setStatus(key, 'x'.repeat(16 * 1024))).toMatchObject({ key });
    expect(await yard.call('workspace.log', { ...at, message: 'é'.repeat(32 * 1024) })).toBeDefined();
  });
});

describe('text from outside', () => {
  it('is kept without control sequences, in its lines', async () => {
    await setStatus('build', '\u001b[31mred\u001b[0m\u202e & \u001b]0;title\u0007line\n  two');
    await yard.call('workspace.log', { ...at, message: 'a\u0000b\u001b[2Jc', source: 'ci\u0007\nx' });
    await yard.call('workspace.set_progress', { ...at, value: 3, label: 'Buil\u001b[1mding' });
    await yard.call('workspace.report_meta_block', { ...at, key: 'plan', markdown: '# T\u001b[5m\n\n\t- x\r\ny' });
    expect(await state()).toMatchObject({
      status_entries: [{ value: 'red & line\n  two' }],
      recent_log_entries: [{ message: 'abc', source: 'ci x' }],
      progress: { value: 1, label: 'Building' },
      metadata_blocks: [{ markdown: '# T\n\n\t- x\ny' }],
    });
  });
});

describe('the log of a workspace', () => {
  it('keeps its last 50 entries, oldest first, and shows the last five', async () => {
    for (let i = 0; i < 60; i++) await yard.call('workspace.log', { ...at, message: `entry ${i}`, level: 'success' });
    const { entries } = await yard.call('workspace.list_log', at);
    expect(entries.map(({ message }) => message)).toEqual(Array.from({ length: 50 }, (_, i) => `entry ${i + 10}`));
    const last = await yard.call('workspace.list_log', { ...at, limit: 2 });
    expect(last.entries.map(({ message }) => message)).toEqual(['entry 58', 'entry 59']);
    expect((await yard.call('workspace.list_log', { ...at, limit: 0 })).entries).toEqual([]);
    const { log_count, recent_log_entries } = await state();
    expect(log_count).toBe(50);
    expect(recent_log_entries).toEqual(entries.slice(-5));
  });

  it('holds a megabyte of messages', async () => {
    for (let i = 0; i < 20; i++) await yard.call('workspace.log', { ...at, message: 'x'.repeat(64 * 1024) });
    expect((await state()).log_count).toBe(16);
  });

  it('is emptied, once', async () => {
    await yard.call('workspace.log', { ...at, message: 'x' });
    const cursor = await end();
    await yard.call('workspace.clear_log', at);
    await yard.call('workspace.clear_log', at);
    expect(await toldSince(cursor)).toEqual([['log_cleared', {}]]);
    expect((await state()).log_count).toBe(0);
  });
});

describe('blocks beside a workspace', () => {
  it('are listed like lines, and are 4 MiB at most: the oldest go first', async () => {
    const block = (key: string, bytes: number, priority = 0) =>
      yard.call('workspace.report_meta_block', { ...at, key, markdown: 'x'.repeat(bytes), priority });
    for (let i = 0; i < 17; i++) await block(`block ${i}`, 256 * 1024);
    await block('first', 10, 7);
    const { blocks } = await yard.call('workspace.list_meta_blocks', at);
    expect(blocks[0]?.key).toBe('first');
    expect(blocks).toHaveLength(16);
    expect(blocks.map(({ key }) => key)).not.toContain('block 1');
    expect(await yard.call('workspace.clear_meta_block', { ...at, key: 'first' })).toMatchObject({ found: true });
    expect(await yard.call('workspace.clear_meta_block', { ...at, key: 'first' })).toMatchObject({ found: false });
  });
});

describe('what is shown beside a workspace', () => {
  const fill = async () => {
    await setStatus('build', 'compiling');
    await yard.call('workspace.set_progress', { ...at, value: 0.25, label: 'Building' });
    await yard.call('workspace.log', { ...at, message: 'ship it' });
    await yard.call('workspace.report_meta_block', { ...at, key: 'plan', markdown: '# Plan' });
    await yard.call('surface.report_ports', { ...at, surface_id, ports: [5173, '3000', 5173] });
    await yard.call('surface.report_git_branch', { ...at, surface_id, branch: 'feat/x', dirty: true });
  };

  it('survives a restart and a crash of the service, with what was reported of its terminals', async () => {
    await fill();
    const before = await state();
    expect(before).toMatchObject({
      ports: [3000, 5173],
      git_branch: { branch: 'feat/x', dirty: true },
      progress: { value: 0.25, label: 'Building' },
      log_count: 1,
    });
    await yard.restart();
    expect(await state()).toEqual(before);
    await setStatus('build', 'done');
    await yard.crash();
    expect((await state()).status_entries[0]?.value).toBe('done');
  });

  it('is gone with its workspace, and another one has none of it', async () => {
    const other = await yard.call('workspace.create', {});
    const there = { workspace_id: other.workspace_id };
    await yard.call('workspace.set_status', { ...there, key: 'build', value: 'x' });
    expect((await state()).status_entries).toEqual([]);
    await yard.call('workspace.close', there);
    await yard.restart();
    const { events } = await yard.call('events.read', { kinds: ['metadata.*'] });
    expect(events.map(({ kind }) => kind)).toEqual(['metadata.status_changed']);
    await expect(yard.call('workspace.sidebar_state', there)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is taken back as a whole, agents and reports included, as one event and those of its terminals', async () => {
    await fill();
    await yard.call('surface.report_agent_state', { ...at, surface_id, state: 'working' });
    const asked = { surface_id, agent_state: 'any_change', timeout_ms: 10_000 };
    const waiting = yard.call('surface.wait', asked, { deadline: performance.now() + 60_000 });
    const cursor = await end();
    await yard.call('workspace.reset_sidebar', at);
    expect(await waiting).toMatchObject({ waited: true, state: null });
    expect(await state()).toMatchObject({
      ...{ status_entries: [], metadata_blocks: [], progress: null, log_count: 0 },
      ...{ ports: [], git_branch: null, pull_request: null },
    });
    expect((await toldSince(cursor)).map(([kind]) => kind)).toEqual(['reset', 'branch_reported', 'ports_changed']);
  });

  it('is told as it changes, each time once and in short', async () => {
    const cursor = await end();
    for (let i = 0; i < 2; i++) {
      await setStatus('build', 'x'.repeat(1000));
      await yard.call('workspace.set_progress', { ...at, value: 0.5 });
      await yard.call('workspace.report_meta_block', { ...at, key: 'plan', markdown: 'é' });
    }
    await yard.call('workspace.clear_progress', at);
    await yard.call('workspace.clear_progress', at);
    const told = await toldSince(cursor);
    expect(told.map(([kind]) => kind)).toEqual([
      'status_changed',
      'progress_changed',
      'block_changed',
      'progress_changed',
    ]);
    expect(told[0]?.[1]).toMatchObject({ value: expect.stringMatching(/^x{255}…$/) });
    expect(told[2]?.[1]).toEqual({ key: 'plan', bytes: 2 });
    expect(told[3]?.[1]).toMatchObject({ value: null });
  });

  it('E8: what is said again writes nothing', async () => {
    const say = async () => {
      await setStatus('build', 'compiling', { pid: 4711 });
      await yard.call('workspace.set_agent_pid', { ...at, key: 'claude', pid: 4712 });
      await yard.call('workspace.set_progress', { ...at, value: 0.25, label: 'Building' });
      await yard.call('workspace.report_meta_block', { ...at, key: 'plan', markdown: '# Plan' });
      await yard.call('surface.report_ports', { ...at, surface_id, ports: [3000, 5173] });
      await yard.call('surface.report_git_branch', { ...at, surface_id, branch: 'feat/x', dirty: true });
      await yard.call('surface.report_tty', { ...at, surface_id, tty_name: 'ttys003' });
      await yard.call('surface.report_shell_state', { ...at, surface_id, state: 'prompt' });
      await yard.call('surface.report_pwd', { ...at, surface_id, path: '/tmp' });
      await yard.call('surface.report_pr', { ...at, surface_id, number: 1, url: 'https://example.org/1' });
      await yard.call('workspace.clear_log', at);
      yard.bus.emit('terminal.ports_changed', { surface_id, ports: [] });
    };
    await say();
    const before = yard.stateBytes();
    await say();
    expect(yard.stateBytes()).toEqual(before);
  });
});

describe("ForkTTY's spelling", () => {
  it('sets and lists the same lines, with labels', async () => {
    const set = await yard.call('metadata.set_status', {
      key: 'agent:codex',
      label: 'Codex',
      value: 'Running',
      color: 'blue',
    });
    expect(set).toMatchObject({ ...at, key: 'agent:codex', label: 'Codex', value: 'Running', color: 'blue' });
    await setStatus('build', 'compiling');
    const { entries } = await yard.call('metadata.list_status', { surface_id });
    expect(entries).toEqual([
      { key: 'agent:codex', label: 'Codex', value: 'Running', color: 'blue' },
      { key: 'build', label: 'build', value: 'compiling', color: null },
    ]);
    await yard.call('metadata.clear_status', { ...at, key: 'build' });
    expect((await yard.call('metadata.list_status', {})).entries).toHaveLength(1);
    expect(await yard.call('metadata.clear_status', {})).toMatchObject({ cleared: true });
    expect((await state()).status_entries).toEqual([]);
  });

  it('has many progresses, cut at their totals; the newest is shown where the peer has one', async () => {
    const set = (key: string, value: number, total?: number) =>
      yard.call('metadata.set_progress', { key, value, ...(total !== undefined && { total }) });
    expect(await set('task', 150, 100)).toMatchObject({ key: 'task', label: 'task', value: 100, total: 100 });
    await set('files', 3, 12);
    expect((await state()).progress).toEqual({ value: 0.25, label: 'files' });
    await yard.call('workspace.set_progress', { ...at, value: 0.5 });
    expect((await state()).progress).toEqual({ value: 0.5, label: null });
    const { entries } = await yard.call('metadata.list_progress', {});
    expect(entries.map(({ key }) => key)).toEqual(['task', 'files', 'main']);
    await yard.call('metadata.clear_progress', { key: 'main' });
    await yard.call('metadata.clear_progress', {});
    expect((await state()).progress).toBeNull();
  });

  it('writes into the same log', async () => {
    expect(await yard.call('metadata.log', { level: 'warn', message: 'waiting' })).toMatchObject({ level: 'warning' });
    const { entries } = await yard.call('metadata.list_logs', {});
    expect(entries).toMatchObject([{ level: 'warning', message: 'waiting' }]);
    await yard.call('metadata.clear_logs', {});
    expect((await yard.call('metadata.list_logs', {})).entries).toEqual([]);
  });

  it('sums a workspace up', async () => {
    await yard.call('surface.report_agent_state', { ...at, surface_id, state: 'blocked', agent: 'codex' });
    await setStatus('build', 'compiling');
    await yard.call('metadata.set_progress', { key: 'files', value: 3, total: 12 });
    await yard.call('surface.report_ports', { ...at, surface_id, ports: 8080 });
    const summary = await yard.call('status.summary', {});
    expect(summary).toMatchObject({
      ...at,
      workspace: { id: at.workspace_id, surfaces: 1, focused_surface_id: surface_id, ports: [8080] },
      agents: [{ surface_id, state: 'blocked' }],
      status: [{ key: 'build', label: 'build', value: 'compiling' }],
      progress: [{ key: 'files', value: 3, total: 12 }],
    });
  });
});
