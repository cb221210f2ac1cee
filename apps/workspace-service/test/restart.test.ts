import { fail } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeYard, startFakeYard, type YardOptions } from './fake-yard.js';

let yard: FakeYard;
const start = async (options?: YardOptions) => {
  yard = await startFakeYard(options);
};
afterEach(() => yard.end());

const tree = () => yard.call('system.tree', { all_windows: true });
const surfaceIds = async () => (await yard.call('surface.list', {})).surfaces.map(({ id }) => id);
const refused = (code: string) => expect.objectContaining({ code });

/** Some of everything that is kept. */
async function furnish(): Promise<void> {
  await yard.call('surface.split', { direction: 'right' });
  await yard.call('tab.action', { tab_id: 'tab:1', action: 'pin' });
  await yard.call('workspace.create', { title: 'Second', description: 'text', cwd: '/tmp' });
  await yard.call('workspace.action', { workspace_id: 'workspace:2', action: 'set_color', color: 'Navy' });
  await yard.call('window.create', {});
  await yard.call('workspace.select', { workspace_id: 'workspace:2' });
  await yard.call('pane.resize', { pane_id: 'pane:1', workspace_id: 'workspace:1', direction: 'right', amount: 80 });
}

describe('a restarted service', () => {
  it.each(['restart', 'crash'] as const)('has the same tree with the same ids and refs (%s)', async (how) => {
    await start();
    await furnish();
    const before = await tree();
    const spawns = yard.host.spawns;
    await yard[how]();
    await waitFor('the terminals to be known', async () => {
      const now = await tree();
      return JSON.stringify(now) === JSON.stringify(before);
    });
    expect(yard.host.spawns).toBe(spawns);
    const { surface_ref } = await yard.call('surface.create', {});
    expect(Number(surface_ref.split(':')[1])).toBeGreaterThan(spawns);
  });

  it('takes over exits, titles and directories that it did not see', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', {});
    const [first = ''] = await surfaceIds();
    const crashed = yard.crash.bind(yard);
    Object.assign(yard.host.terminals.get(first)?.status ?? {}, { title: 'vim', cwd: '/srv' });
    yard.host.bus = undefined;
    yard.host.exit(surface_id, 4);
    await crashed();
    await waitFor('the exit', async () => (await surfaceIds()).length === 1);
    expect((await yard.call('surface.list', {})).surfaces).toMatchObject([{ id: first, title: 'vim', cwd: '/srv' }]);
    expect(await yard.call('surface.wait', { surface_id, exit: true })).toMatchObject({ exit_code: 4 });
  });

  it('starts shells again that the keeper lost, in their last directory, and leaves commands as exited', async () => {
    await start();
    const [shell = ''] = await surfaceIds();
    const command = await yard.call('surface.create', { argv: ['make'] });
    yard.host.bus?.emit('terminal.cwd_changed', { surface_id: shell, cwd: '/srv/project' });
    yard.host.reboot();
    await yard.restart();
    await waitFor('the shell', () => yard.host.terminals.has(shell));
    expect(yard.host.opened(shell)).toMatchObject({ argv: ['/bin/sh'], cwd: '/srv/project' });
    const rows = (await yard.call('surface.list', {})).surfaces;
    expect(rows.map(({ id, exit }) => [id, exit === null])).toEqual([
      [shell, true],
      [command.surface_id, false],
    ]);
    await yard.call('surface.respawn', { surface_id: command.surface_id });
    expect(yard.host.opened(command.surface_id).argv).toEqual(['make']);
  });

  it('E1: keeps what ended with the yard, though the pty-host tells so only later', async () => {
    await start();
    const [shell = ''] = await surfaceIds();
    const { surface_id } = await yard.call('surface.create', { argv: ['make'] });
    await yard.stop();
    const exits = [shell, surface_id].map((id) => ({ surface_id: id, exit: yard.host.exit(id, 1) }));
    for (const id of [shell, surface_id]) {
      const terminal = yard.host.terminals.get(id);
      if (terminal) terminal.status.exit = null;
    }
    await yard.start();
    for (const { surface_id, exit } of exits) {
      const terminal = yard.host.terminals.get(surface_id);
      if (terminal) terminal.status.exit = exit;
      yard.host.bus?.emit('terminal.exited', { surface_id, exit });
    }
    await waitFor('the shell', () => yard.host.spawns === 3);
    const rows = (await yard.call('surface.list', {})).surfaces;
    expect(rows.map(({ id, exit }) => [id, exit?.exit_code ?? null])).toEqual([
      [shell, null],
      [surface_id, 1],
    ]);
  });

  it('E1: gets back what ended a moment before it was told to stop, as when a machine shuts down', async () => {
    await start();
    await furnish();
    const before = await tree();
    for (const id of [...yard.host.terminals.keys()]) yard.host.exit(id, 1, { at: Date.now() + 5 });
    await waitFor('them to close', async () => (await tree()).windows.length === 1);
    await yard.restart();
    const after = await waitFor('the shells', async () => (await tree()).windows.length === 2 && (await tree()));
    const shape = (one: typeof before) => JSON.stringify(one, (key, value) => (key === 'tty' ? null : value));
    expect(shape(after)).toBe(shape(before));
  });

  it('keeps the surfaces of terminals that were lost with their keeper', async () => {
    await start();
    const [shell = ''] = await surfaceIds();
    const { surface_id } = await yard.call('surface.create', { argv: ['make'] });
    await yard.crash();
    for (const id of [shell, surface_id]) yard.host.exit(id, 0, { exit_code: null, signal: 'SIGHUP', reason: 'lost' });
    await waitFor('the shell', () => yard.host.spawns === 3);
    const rows = (await yard.call('surface.list', {})).surfaces;
    expect(rows.map(({ id, exit }) => [id, exit?.reason])).toEqual([
      [shell, undefined],
      [surface_id, 'lost'],
    ]);
  });

  it('shows terminals again whose surfaces went with a broken database', async () => {
    await start();
    await yard.call('surface.split', { direction: 'right' });
    const ids = await surfaceIds();
    await yard.stop();
    yard.breakDatabase();
    await yard.start();
    await waitFor('their workspace', async () => {
      const { workspaces } = await yard.call('workspace.list', {});
      const found = await yard.call('surface.list', { workspace_id: workspaces.at(-1)?.id });
      return (
        found.surfaces
          .map(({ id }) => id)
          .sort()
          .join() === [...ids].sort().join()
      );
    });
    expect(yard.log.error).toHaveBeenCalled();
    expect(yard.host.closed).toEqual([]);
  });

  it('types into a shell that it is just starting again', async () => {
    await start();
    yard.host.reboot();
    await yard.restart();
    expect(await yard.call('surface.send_text', { text: 'hello' })).toMatchObject({ bytes: 5 });
  });

  it('gives a terminal the size it missed', async () => {
    await start();
    const [first = ''] = await surfaceIds();
    Object.assign(yard.host.terminals.get(first)?.status ?? {}, { cols: 10, rows: 10 });
    await yard.crash();
    await waitFor('the size', () => yard.host.size(first).cols === 200);
  });

  it('finishes closings that were staged or under way', async () => {
    await start({ closeUndoMs: 600 });
    const { surface_id } = await yard.call('surface.create', {});
    await yard.call('surface.close', { surface_id });
    await yard.crash();
    expect(await surfaceIds()).toHaveLength(1);
    await waitFor('the end', () => yard.host.closed.some((one) => one.surface_id === surface_id));
  });

  it('ends again what was started by a request that had been given up, after its surface was closed', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', { argv: ['sleep', '1000'] });
    const { opened, status, ...rest } = yard.host.terminals.get(surface_id) ?? expect.fail('it was not started');
    await yard.call('surface.close', { surface_id, now: true });
    yard.host.terminals.set(surface_id, { ...rest, opened, status: { ...status, exit: null } });
    const before = yard.host.closed.length;
    const mark = { service: 'pty-host', address: 'local-0', instance: 'two', version: '0' } as const;
    yard.host.bus?.emit('service.ready', mark);
    await waitFor('the end', () => yard.host.closed.length > before);
    expect(yard.host.closed.at(-1)?.surface_id).toBe(surface_id);
    expect(await surfaceIds()).not.toContain(surface_id);
  });

  it('ends what was started by a request whose service was not there in the end, and takes it for nobody else’s', async () => {
    await start();
    const { terminals } = yard.host;
    const before = await surfaceIds();
    yard.host.onOpen = () => fail('service_unavailable', 'it was killed, after it had handed the start to the keeper');
    await expect(yard.call('surface.create', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    yard.host.onOpen = () => undefined;
    const [known] = [...terminals.values()];
    const [surface_id = ''] = [...yard.host.asked].filter((id) => !terminals.has(id));
    const { status, ...rest } = known ?? expect.fail('there is no terminal');
    terminals.set(surface_id, { ...rest, status: { ...status, surface_id } });
    const mark = { service: 'pty-host', address: 'local-0', instance: 'two', version: '0' } as const;
    yard.host.bus?.emit('service.ready', mark);
    await waitFor('the end', () => yard.host.closed.some((one) => one.surface_id === surface_id));
    expect(await surfaceIds()).toEqual(before);
  });

  it('can still reopen what was staged before', async () => {
    await start();
    const { surface_id } = await yard.call('surface.create', {});
    await yard.call('surface.close', { surface_id });
    await yard.restart();
    expect(await yard.call('surface.reopen', {})).toMatchObject({ surface_id });
  });

  it('compares with a pty-host that comes back', async () => {
    await start();
    const [shell = ''] = await surfaceIds();
    yard.host.reboot();
    const version = '0';
    yard.host.bus?.emit('service.ready', { service: 'pty-host', address: 'local-0', instance: 'two', version });
    await waitFor('the shell', () => yard.host.terminals.has(shell));
  });
});

describe('a request_id', () => {
  it('makes a repeat answer what the first run did, also after a restart', async () => {
    await start();
    const once = () => yard.call('surface.create', {}, { requestId: 'r1' });
    const first = await once();
    expect(await once()).toEqual(first);
    await yard.crash();
    expect(await once()).toEqual(first);
    expect(await surfaceIds()).toHaveLength(2);
    await expect(yard.call('window.create', {}, { requestId: 'r1' })).rejects.toEqual(refused('invalid_params'));
  });

  it('joins a run that is not over yet', async () => {
    await start();
    const [a, b] = await Promise.all([
      yard.call('workspace.create', {}, { requestId: 'r2' }),
      yard.call('workspace.create', {}, { requestId: 'r2' }),
    ]);
    expect(a).toEqual(b);
    expect(yard.host.spawns).toBe(2);
  });

  it('tries again when the first run failed', async () => {
    await start();
    const open = yard.host.onOpen;
    yard.host.onOpen = () => {
      throw new Error('no');
    };
    await expect(yard.call('surface.create', {}, { requestId: 'r3' })).rejects.toThrow();
    yard.host.onOpen = open;
    await yard.call('surface.create', {}, { requestId: 'r3' });
    expect(await surfaceIds()).toHaveLength(2);
  });

  it('types once', async () => {
    await start();
    const type = () => yard.call('surface.send_text', { text: 'once' }, { requestId: 'r4' });
    expect(await type()).toEqual(await type());
    expect((await yard.call('surface.read_text', {})).text).toBe('once');
  });
});
