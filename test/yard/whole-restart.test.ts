import { readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, waitFor, within, type Yard } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { CliInTerminal } from './pty-program.js';
import { useYard } from './use-yard.js';

/** From the hang-up of all programs to the word to stop, as when a machine shuts down (bug case E1). */
const REBOOT_PAUSE_MS = 200;
const TEST_MS = 120_000;

/** Ends with a status, not by the signal, as some programs do. */
const EXITS_ON_HANGUP = ['sh', '-c', 'trap "exit 1" HUP; while :; do sleep 0.05; done'];

interface Row {
  readonly id: string;
  readonly title: string;
  readonly exited: boolean;
}

async function rowsOf(yard: Yard): Promise<Row[]> {
  const client = await yard.client();
  const { windows } = await client.call('system.tree', { all_windows: true });
  const rows: Row[] = [];
  for (const { workspaces } of windows) {
    for (const { id } of workspaces) {
      const { surfaces } = await client.call('surface.list', { workspace_id: id });
      rows.push(...surfaces.map((one) => ({ id: one.id, title: one.custom_title ?? '', exited: one.exit !== null })));
    }
  }
  return rows;
}

/** Two workspaces with splits and tabs: shells, and programs. */
async function furnish(yard: Yard): Promise<void> {
  const client = await yard.client();
  await client.call('surface.split', { direction: 'right' });
  await client.call('surface.create', { argv: EXITS_ON_HANGUP });
  const { workspace_id } = await client.call('workspace.create', { title: 'Second' });
  await client.call('surface.split', { direction: 'down', workspace_id });
  await client.call('surface.create', { argv: ['sleep', '1000'], workspace_id });
}

async function programsOf(yard: Yard): Promise<number[]> {
  const keeper = await yard.pidOf('keeper');
  return readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8').trim().split(' ').map(Number);
}

async function supervisorOf(yard: Yard): Promise<number> {
  return (await (await yard.client()).call('yard.status', {})).supervisor.pid;
}

/** As when the power fails. */
async function killAll(yard: Yard): Promise<void> {
  const pids = [
    await supervisorOf(yard),
    ...(await yard.processes()).flatMap(({ pid }) => (pid === null ? [] : [pid])),
  ];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await waitFor('everything is gone', () => pids.every((pid) => !isAlive(pid)));
}

async function startAgain(yard: Yard): Promise<void> {
  expect((await yard.cli('up', '--detach')).code).toBe(0);
}

async function confirmed(yard: Yard) {
  return waitFor('the restore to be confirmed', async () => {
    const { last_restore } = await (await yard.client()).call('snapshot.list', {});
    return last_restore?.confirmed_at != null && last_restore;
  });
}

describe('a yard that is restarted as a whole', () => {
  const yard = useYard();

  it('E1: has all it had when its programs were hung up a moment before it was told to stop', {
    timeout: TEST_MS,
  }, async () => {
    await furnish(yard());
    const before = await rowsOf(yard());
    expect(before).toHaveLength(6);
    const supervisor = await supervisorOf(yard());
    const programs = await programsOf(yard());
    expect(programs).toHaveLength(before.length);
    for (const pid of programs) process.kill(pid, 'SIGHUP');
    await delay(REBOOT_PAUSE_MS);
    process.kill(supervisor, 'SIGTERM');
    await waitFor('the yard is gone', () => !isAlive(supervisor));
    await startAgain(yard());
    await confirmed(yard());
    const after = await rowsOf(yard());
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.filter(({ exited }) => exited)).toHaveLength(2);
    const { snapshots } = await (await yard().client()).call('snapshot.list', {});
    expect(snapshots[0]).toMatchObject({ reason: 'stop', clean_shutdown: true, panel_count: before.length });
  });

  it('E2: has all it had after it was killed twice in the middle of its restore, and says what does not run', {
    timeout: TEST_MS,
  }, async () => {
    const before = await rowsOf(yard());
    await killAll(yard());
    for (let i = 0; i < 2; i++) {
      await startAgain(yard());
      await killAll(yard());
    }
    await startAgain(yard());
    const report = await confirmed(yard());
    expect(await rowsOf(yard())).toEqual(before);
    expect(report).toMatchObject({ kind: 'start', running: 4, problem_count: 2 });
    const { snapshots } = await (await yard().client()).call('snapshot.list', {});
    expect(snapshots.map(({ id }) => id)).toContain(report.before);
  });

  it('E5: still has the commands of a layout after two restarts', { timeout: TEST_MS }, async () => {
    const folder = join(yard().paths.configDir, 'layouts');
    await mkdir(folder, { recursive: true });
    const surfaces = [
      { type: 'terminal', command: 'echo typed-$((1 + 1))' },
      { type: 'terminal', argv: ['sleep', '999'] },
    ];
    const layout = { pane: { surfaces } };
    await writeFile(join(folder, 'dev.json'), JSON.stringify({ schemaVersion: 1, name: 'dev', savedAt: '', layout }));
    const applied = await (await yard().client()).call('layout.apply', { name: 'dev' });
    expect(applied.complete).toBe(true);
    const [shell] = applied.surfaces;
    const surface_id = shell?.surface_id ?? '';
    await (await yard().client()).call('surface.wait', { surface_id, pattern: 'typed-2' });
    for (let i = 0; i < 2; i++) {
      expect((await yard().cli('down')).code).toBe(0);
      await startAgain(yard());
      await confirmed(yard());
    }
    const client = await yard().client();
    await client.call('layout.save', { name: 'again', workspace_id: applied.workspace_id });
    expect((await client.call('layout.get', { name: 'again' })).layout).toEqual({ pane: { surfaces } });
  });

  it('E7: a recorded terminal that is gone says so to who attaches, and can be closed', {
    timeout: TEST_MS,
  }, async () => {
    const client = await yard().client();
    const { surface_id } = await client.call('surface.create', { argv: ['sleep', '1000'] });
    await killAll(yard());
    rmSync(join(yard().paths.stateDir, 'terminals', surface_id), { recursive: true });
    await startAgain(yard());
    await confirmed(yard());
    const attached = new CliInTerminal(['attach', surface_id], yard().env);
    await attached.shows(/gone/);
    expect(await within(10_000, 'attach ends', attached.exited)).toBe(1);
    expect((await yard().cli('close', '--now', surface_id)).code).toBe(0);
    expect((await rowsOf(yard())).map(({ id }) => id)).not.toContain(surface_id);
  });
});
