import { runCli } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const CLI_MS = 20_000;
/** Listens where the system likes, and says where. */
const SERVER = `require('net').createServer().listen(0, '127.0.0.1', function () {
  console.log('port ' + this.address().port + ' open');
})`;

describe('what is shown beside a workspace', () => {
  const yard = useYard();
  const cli = (...args: string[]) => yard().cli(...args);

  it('is set and shown by the command line, and survives the death of its service', async () => {
    const runs = [
      await cli('set-status', 'build', 'compiling', 'hard', '--color', 'orange'),
      await cli('set-progress', '12/40', '--label', 'Tests'),
      await cli('log', 'ship it', '--level', 'success', '--source', 'ci'),
    ];
    expect(runs).toMatchObject(runs.map(() => ({ code: 0, stdout: '', stderr: '' })));
    const before = await cli('sidebar');
    expect(before.stdout).toMatch(/^30% \(12\/40\) Tests\nbuild: compiling hard\n.*Z success ci: ship it$/m);
    const pid = await yard().kill('workspace-service');
    await yard().untilRestarted('workspace-service', pid);
    expect((await cli('sidebar')).stdout).toBe(before.stdout);
    await cli('clear-status', 'build');
    await cli('clear-progress');
    await cli('log', '--clear');
    expect((await cli('sidebar')).stdout).toMatch(/^workspace:1 [^\n]*\n$/);
    expect(await cli('set-progress', 'half')).toMatchObject({ code: 2 });
  });

  it('shows the ports of a server by itself, and no more when that has ended', async () => {
    const client = await yard().client();
    const { surface_id } = await client.call('surface.create', { argv: [process.execPath, '-e', SERVER] });
    const { cursor } = await client.call('events.read', { limit: 1000 });
    const match = { kinds: ['metadata.ports_changed'], surfaces: [surface_id] };
    const { event } = await client.call('events.wait', { match, cursor, timeout_ms: 30_000 });
    const { ports: [port] = [] } = event.data as { ports: number[] };
    const said = await client.call('surface.wait', { surface_id, pattern: 'port \\d+ open', timeout_ms: 10_000 });
    expect(said.match).toBe(`port ${port} open`);
    expect((await cli('ports')).stdout).toMatch(new RegExp(`surface:\\d+ +${port} +127\\.0\\.0\\.1 +node`));
    const { workspaces } = await client.call('workspace.list', {});
    expect(workspaces[0]?.listening_ports).toEqual([port]);
    await client.call('surface.close', { surface_id, now: true });
    expect((await cli('ports')).stdout).toBe('Nothing listens.\n');
  });

  it('may be set for its own workspace by a program in a sandbox, and for no other', async () => {
    const { env, paths } = yard();
    const client = await yard().client();
    const mine = await client.call('workspace.create', { title: 'mine' });
    const token = (await cli('token', 'create', 'box', '--self', mine.surface_id ?? '')).stdout.trim();
    const place = { SWITCHYARD_SOCKET: paths.guestSocket, SWITCHYARD_SURFACE_ID: mine.surface_id ?? '' };
    const sandboxed = (...args: string[]) =>
      runCli(args, { env: { ...env, ...place, SWITCHYARD_TOKEN: token }, timeoutMs: CLI_MS });
    expect(await sandboxed('set-status', 'agent', 'thinks')).toMatchObject({ code: 0 });
    expect(await sandboxed('set-progress', '50%')).toMatchObject({ code: 0 });
    expect(await sandboxed('set-status', 'agent', 'x', '--workspace', 'workspace:1')).toMatchObject({ code: 1 });
    expect((await cli('sidebar', '--workspace', mine.workspace_ref)).stdout).toMatch(/^50%\nagent: thinks$/m);
    expect(await sandboxed('clear-status', 'agent')).toMatchObject({ code: 0 });
    expect(await sandboxed('call', 'workspace.reset_sidebar', '{"workspace_id":"workspace:1"}')).toMatchObject({
      code: 1,
    });
  });
});
