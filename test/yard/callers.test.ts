import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { runCli, startYard, type Yard } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CLI_MS = 20_000;
const NOBODY = 65_534;

describe('a yard that programs in sandboxes may use', () => {
  let yard: Yard;
  let [mine, other] = ['', ''];
  beforeAll(async () => {
    yard = await startYard({ env: { SECRET_OF_THE_OWNER: 'hush' } });
    const client = await yard.client();
    mine = (await client.call('workspace.create', { title: 'mine' })).surface_id ?? '';
    other = (await client.call('workspace.create', { title: 'other' })).surface_id ?? '';
  });
  afterAll(() => yard.stop());

  /** The command line as a sandbox has it: the other socket, a token, and its own surface. */
  const sandboxed = async (token: string, ...args: string[]) => {
    const place = { SWITCHYARD_SOCKET: yard.paths.guestSocket, SWITCHYARD_SURFACE_ID: mine };
    return runCli(args, { env: { ...yard.env, ...place, SWITCHYARD_TOKEN: token }, timeoutMs: CLI_MS });
  };
  const tokenOf = async (...args: string[]) => (await yard.cli('token', 'create', ...args)).stdout.trim();

  it('H1: lets a sandboxed program report and read itself, and refuses everything else by name', async () => {
    const token = await tokenOf('box', '--self', mine);
    expect(token).toMatch(/^syt_/);
    const report = await sandboxed(
      token,
      'call',
      'surface.report_agent_state',
      JSON.stringify({
        workspace_id: await workspaceOf(mine),
        surface_id: mine,
        state: 'working',
        agent: 'claude-code',
      }),
    );
    expect(report).toMatchObject({ code: 0 });
    expect(await sandboxed(token, 'read', mine)).toMatchObject({ code: 0 });
    for (const args of [
      ['send', other, 'rm -rf ~'],
      ['read', other],
      ['new', '--', 'sh'],
      ['token', 'list'],
      ['restart', 'keeper'],
    ]) {
      const run = await sandboxed(token, ...args);
      expect([args, run.code === 0, run.stderr]).toEqual([
        args,
        false,
        expect.stringMatching(/forbidden|may not|scope|beyond|yard/i),
      ]);
    }
    const { stdout } = await yard.cli('audit', '--outcome', 'forbidden');
    expect(stdout).toMatch(/box\s+surface\.send_text\s+.*forbidden/);
  });

  it('lets the hook of an agent report from a sandbox', async () => {
    const token = await tokenOf('hooked', '--self', mine);
    const env = {
      ...yard.env,
      SWITCHYARD_SOCKET: yard.paths.guestSocket,
      SWITCHYARD_SURFACE_ID: mine,
      SWITCHYARD_WORKSPACE_ID: await workspaceOf(mine),
      SWITCHYARD_TOKEN: token,
    };
    const { CLI } = await import('@switchyard/testing');
    const hook = spawn(process.execPath, [CLI, 'hook', 'claude', 'UserPromptSubmit'], {
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    hook.stdin.end(JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 'from-the-box', prompt: 'x' }));
    await once(hook, 'exit');
    const client = await yard.client();
    const known = await client.call('agent.sessions', { surface_id: mine });
    expect(JSON.stringify(known)).toContain('from-the-box');
  });

  it('tokens outlive the gateway, and what they were used for stays on record', async () => {
    const token = await tokenOf('lasting', '--scope', 'read');
    const before = await yard.kill('gateway');
    await yard.untilRestarted('gateway', before);
    expect(await sandboxed(token, 'tree')).toMatchObject({ code: 0 });
    expect((await yard.cli('audit', '--token', 'lasting')).stdout).toMatch(/auth\.login/);
    expect(await yard.cli('token', 'revoke', 'lasting')).toMatchObject({ code: 0 });
    const late = await sandboxed(token, 'tree');
    expect(late.code).not.toBe(0);
    expect(late.stderr).toMatch(/auth_failed|wrong|token/i);
  });

  it('H4: gives no program the secrets of the yard, and shows the environment of none', async () => {
    const { stdout } = await yard.cli('run', '--', 'env');
    expect(stdout).toMatch(/SWITCHYARD_SURFACE_ID=/);
    const bus = readFileSync(yard.paths.busFile, 'utf8');
    const { token } = JSON.parse(bus) as { token: string };
    expect(stdout).not.toContain(token);
    expect(stdout).not.toMatch(/SWITCHYARD_SERVICE=|syt_/);
    // What the owner's own shell has, the owner's programs have; but the API tells nobody of it.
    const reader = await tokenOf('curious', '--scope', 'read');
    for (const args of [
      ['tree', '--json'],
      ['status', '--json'],
      ['call', 'debug.terminals'],
      ['call', 'surface.list'],
    ]) {
      expect((await sandboxed(reader, ...args)).stdout).not.toMatch(/hush|SECRET_OF_THE_OWNER/);
    }
  });

  it.skipIf(process.getuid?.() !== 0)(
    'H2: turns away another user even where folder and socket were opened by hand (needs root)',
    async () => {
      const socket = yard.paths.gatewaySocket;
      for (let dir = dirname(socket); dir.startsWith(yard.dir); dir = dirname(dir)) chmodSync(dir, 0o755);
      chmodSync(socket, 0o666);
      const script = `const s=require('net').connect(${JSON.stringify(socket)},()=>s.write('{"id":1,"method":"system.ping"}\\n'));s.on('data',d=>process.stdout.write(d));s.on('error',e=>process.stdout.write(e.code))`;
      const stranger = spawn(process.execPath, ['-e', script], { uid: NOBODY, gid: NOBODY, cwd: '/' });
      let said = '';
      stranger.stdout.on('data', (part) => {
        said += part;
      });
      await once(stranger, 'close');
      expect(said).toContain('"forbidden"');
      chmodSync(socket, 0o600);
      chmodSync(dirname(socket), 0o700);
    },
  );

  async function workspaceOf(surface_id: string): Promise<string> {
    const client = await yard.client();
    return (await client.call('surface.current', { surface_id })).workspace_id;
  }
});
