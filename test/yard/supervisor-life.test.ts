import { existsSync } from 'node:fs';
import { isAlive, waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { CliInTerminal } from './pty-program.js';
import { useYard } from './use-yard.js';

describe('the supervisor of a whole yard', () => {
  const yard = useYard();

  it('is taken over after SIGKILL: same processes, same terminals, nothing lost', async () => {
    const client = await yard().client();
    const { surface_id } = await client.call('surface.create', { argv: ['cat'] });
    await client.call('surface.send_text', { surface_id, text: 'before\n' });
    await client.call('surface.wait', { surface_id, pattern: 'before' });
    const before = await client.call('yard.status', {});
    process.kill(before.supervisor.pid, 'SIGKILL');
    await waitFor('the supervisor is gone', () => !isAlive(before.supervisor.pid));

    const orphaned = await yard().cli('status');
    expect(orphaned.code).toBe(5);
    expect(orphaned.stderr).toContain('switchyard up');
    expect((await yard().cli('read', surface_id)).stdout).toContain('before');

    expect((await yard().cli('up', '--detach')).code).toBe(0);
    const after = JSON.parse((await yard().cli('status', '--json')).stdout);
    const pids = (status: typeof before) => status.processes.map(({ name, pid }) => `${name} ${pid}`);
    expect(pids(after)).toEqual(pids(before));
    await client.call('surface.send_text', { surface_id, text: 'after\n' });
    expect((await client.call('surface.wait', { surface_id, pattern: 'after' })).match).toBe('after');
  });

  it('notices the death of a process it has taken over', async () => {
    await yard().untilRestarted('detector', await yard().kill('detector'));
  });

  it('refuses a second supervisor in the foreground, and leaves the yard alone', async () => {
    const before = await yard().pidOf('keeper');
    const second = await yard().cli('up');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('already running');
    expect(await yard().pidOf('keeper')).toBe(before);
  });

  it('says so when it is up already', async () => {
    expect(await yard().cli('up', '--detach')).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
  });

  it('restarts a service on demand, through the gateway too, and keeps the keeper unless forced', async () => {
    const before = await yard().pidOf('pty-host');
    expect((await yard().cli('restart', 'pty-host')).code).toBe(0);
    expect(await yard().pidOf('pty-host')).not.toBe(before);
    const client = await yard().client();
    await client.call('yard.restart', { service: 'notifier' });
    const refused = await yard().cli('restart', 'keeper');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--force');
  });

  it('shows what its processes logged', async () => {
    const { stdout } = await yard().cli('logs', '-n', '5', 'supervisor');
    expect(stdout).toContain('took over running processes');
    expect((await yard().cli('logs', 'gatway')).stderr).toContain('did you mean gateway');
  });

  it('finds nothing wrong with a yard that runs', async () => {
    const { code, stdout } = await yard().cli('doctor');
    expect(stdout).toContain('Nothing is wrong.');
    expect(code).toBe(0);
  });

  it('takes everything down, also what a killed supervisor left', async () => {
    const status = await (await yard().client()).call('yard.status', {});
    process.kill(status.supervisor.pid, 'SIGKILL');
    await waitFor('the supervisor is gone', () => !isAlive(status.supervisor.pid));
    const down = await yard().cli('down');
    expect(down).toMatchObject({ code: 0, stdout: 'The yard is down.\n' });
    expect(status.processes.filter(({ pid }) => pid !== null && isAlive(pid))).toEqual([]);
    expect(existsSync(yard().paths.runtimeDir)).toBe(false);
    expect((await yard().cli('status')).code).toBe(3);
  });

  it('keeps ids, refs and titles over a fresh start, and in the foreground is upgraded, and stops on Ctrl-C', async () => {
    const terminal = new CliInTerminal(['up'], yard().env);
    await terminal.shows(/gateway[\s\S]*ready[\s\S]*Ctrl-C stops the yard/);
    const client = await yard().client();
    const { workspace_ref } = await client.call('workspace.create', { title: 'kept' });
    const { pid } = (await yard().status()).supervisor;
    // To the installation that it is of already: what is left of an upgrade is the new supervisor in this terminal.
    expect(await yard().cli('upgrade')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Every process runs'),
    });
    expect((await yard().status()).supervisor.pid).toBe(pid);
    expect(terminal.text).not.toContain('down');
    terminal.type('\x03');
    expect(await within(30_000, 'up ends', terminal.exited)).toBe(0);
    expect(terminal.text).toContain('The yard is down.');
    expect(existsSync(yard().paths.gatewaySocket)).toBe(false);

    expect((await yard().cli('up', '--detach')).code).toBe(0);
    expect((await yard().cli('tree')).stdout).toContain(`${workspace_ref} kept`);
  });
});
