import { join } from 'node:path';
import { canMount, SmallDisk, startYard, type TempDir, tempDir, waitFor, type Yard } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

/** A database, a few logs and what is printed here take a third of it. */
const DISK = '8m';
const LINES = 20_000;
const PRINTER = `i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo "line $i of a program that the disk makes wait"; done; read x; exit 7`;

const probe = tempDir();
const possible = canMount(probe.path);
probe.remove();
const title = possible ? '' : ' [skipped: file systems can be mounted by root only]';

describe.skipIf(!possible)(`a state folder on a small disk${title}`, () => {
  let folder: TempDir;
  let disk: SmallDisk;
  let yard: Yard;
  beforeAll(async () => {
    folder = tempDir();
    disk = new SmallDisk(join(folder.path, 'state'), DISK);
    yard = await startYard({ env: { SWITCHYARD_STATE_DIR: disk.path } });
  });
  afterAll(async () => {
    try {
      await yard?.stop();
    } finally {
      disk.remove();
      folder.remove();
    }
  });

  afterEach(() => {
    disk.makeWritable();
    disk.empty();
  });

  const pids = async () => (await yard.processes()).map(({ name, pid, restarts }) => ({ name, pid, restarts }));
  const alarms = async () => (await (await yard.client()).call('system.health', {})).reasons.map(({ alarm }) => alarm);
  const untilAlarm = (alarm: string, raised: boolean) => {
    let seen: unknown;
    return waitFor(
      `${alarm} is ${raised ? 'raised' : 'over'}`,
      async () => {
        const found = await alarms();
        seen = found;
        return (found as string[]).includes(alarm) === raised;
      },
      { seen: () => seen },
    );
  };

  it('that is full: programs wait, changes are refused, reads and input go on, nothing is lost and it ends by itself', async () => {
    const client = await yard.client();
    const before = await pids();
    const { cursor } = await client.call('events.read', { limit: 1 });
    const { surface_id: kept } = await client.call('surface.create', { argv: ['cat'] });
    const surface_id = kept ?? '';
    await client.call('surface.send_text', { surface_id, text: 'text that comes back\n' });
    await client.call('surface.wait', { surface_id, pattern: 'text that comes back' });
    disk.fill();
    const printer = { argv: ['sh', '-c', PRINTER] };
    await expect(client.call('surface.create', printer)).rejects.toMatchObject({ code: 'storage_full' });
    await expect(client.call('notification.create', { title: 'x' })).rejects.toMatchObject({ code: 'storage_full' });
    // Typed text is echoed: more of it than the page of the disk that its log has begun.
    const typed = `${'a line that has no room '.repeat(40)}\n`;
    await waitFor('the program waits for the disk', async () => {
      await client.call('surface.send_text', { surface_id, text: typed });
      return ((await alarms()) as string[]).includes('terminals_waiting');
    });
    const { reasons } = await client.call('system.health', {});
    expect(reasons).toContainEqual(
      expect.objectContaining({ alarm: 'disk_full', verdict: 'failing', subject: 'state' }),
    );
    expect(reasons).toContainEqual(expect.objectContaining({ alarm: 'storage_refused', subject: 'workspace-service' }));
    expect((await client.call('system.tree', {})).windows).toHaveLength(1);
    expect((await client.call('surface.read_text', { surface_id })).text).toContain('text that comes back');

    disk.empty();
    await untilAlarm('storage_refused', false);
    await untilAlarm('terminals_waiting', false);
    expect(await alarms()).not.toContain('disk_full');
    const { surface_id: created } = await client.call('surface.create', printer);
    expect(created).not.toBeNull();
    const told = await waitFor('the journal tells of it', async () => {
      const { events } = await client.call('events.read', { cursor, kinds: ['storage.*'] });
      return events.length === 4 ? events : undefined;
    });
    expect(told.map(({ kind, data }) => `${kind} ${(data as { part: string }).part}`).sort()).toEqual([
      'storage.failed state',
      'storage.failed terminals',
      'storage.recovered state',
      'storage.recovered terminals',
    ]);
    expect(await pids()).toEqual(before);
  });

  it('that is full while a program prints: every byte is there afterwards, and its end is not missed', async () => {
    const client = await yard.client();
    const { surface_id: printing } = await client.call('surface.create', { argv: ['sh', '-c', PRINTER] });
    const surface_id = printing ?? '';
    disk.fill();
    await untilAlarm('terminals_waiting', true);
    const { offset } = await client.call('surface.snapshot', { surface_id });
    disk.empty();
    await client.call('surface.wait', { surface_id, pattern: `line ${LINES} of`, timeout_ms: 60_000 });
    const { text, gap } = await readAll(yard, surface_id);
    expect(gap).toBe(false);
    expect(text.length).toBeGreaterThan(offset);
    const lines = text.split('\r\n').slice(0, -1);
    expect(lines.findIndex((line, i) => line !== `line ${i + 1} of a program that the disk makes wait`)).toBe(-1);
    expect(lines).toHaveLength(LINES);
    disk.fill();
    await client.call('surface.send_text', { surface_id, text: '\n' });
    await expect(client.call('workspace.create', {})).rejects.toMatchObject({ code: 'storage_full' });
    disk.empty();
    await waitFor('the end of the program is taken over', async () => {
      const { windows } = await client.call('system.tree', { all_windows: true });
      return !JSON.stringify(windows).includes(surface_id);
    });
  });

  it('that is full while services are killed: they start again on it and answer', async () => {
    disk.fill();
    for (const name of ['workspace-service', 'notifier', 'git-service', 'pty-host', 'gateway']) {
      const old = await yard.kill(name);
      await yard.untilRestarted(name, old);
    }
    const client = await yard.client();
    expect((await client.call('system.tree', {})).windows).toHaveLength(1);
    disk.empty();
    await untilAlarm('disk_full', false);
    const { workspace_id } = await client.call('workspace.create', {});
    await client.call('workspace.close', { workspace_id: workspace_id ?? '' });
  });

  it('that has become read-only: what needs a new file is refused with its own code, until it can be written to again', async () => {
    const client = await yard.client();
    const before = await pids();
    disk.makeReadOnly();
    await untilAlarm('disk_read_only', true);
    await expect(client.call('surface.create', { argv: ['cat'] })).rejects.toMatchObject({ code: 'storage_read_only' });
    expect((await client.call('system.tree', {})).windows).toHaveLength(1);
    disk.makeWritable();
    await untilAlarm('disk_read_only', false);
    const { surface_id } = await client.call('surface.create', { argv: ['cat'] });
    await client.call('surface.close', { surface_id: surface_id ?? '' });
    expect(await pids()).toEqual(before);
  });

  it('that is full does not keep a yard from being stopped', async () => {
    disk.fill();
    await yard.stop();
  });
});

async function readAll(yard: Yard, surface_id: string): Promise<{ text: string; gap: boolean }> {
  const client = await yard.client();
  let text = '';
  for (let offset = 0; ; ) {
    const part = await client.call('surface.read_output', { surface_id, offset });
    const { data, offset: start, next_offset } = part as { data: string; offset: number; next_offset: number };
    if (start !== offset) return { text, gap: true };
    if (data === '') return { text, gap: false };
    text += Buffer.from(data, 'base64').toString();
    offset = next_offset;
  }
}
