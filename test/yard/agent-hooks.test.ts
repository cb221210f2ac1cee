import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const HOOK = fileURLToPath(new URL('../../apps/cli/dist/hook.js', import.meta.url));
/** Long enough for a busy machine. */
const WAIT_MS = 20_000;

describe('hooks', () => {
  const yard = useYard();

  async function rowOf(surfaceId: string) {
    const { surfaces } = await (await yard().client()).call('surface.list', {});
    return surfaces.find(({ id }) => id === surfaceId) ?? expect.fail('the surface is there');
  }
  async function open(...argv: string[]): Promise<string> {
    return (await (await yard().client()).call('surface.create', { argv })).surface_id;
  }
  /** One event, as an agent in the terminal would run it. */
  async function hook(surface: string, event: string, payload: object): Promise<void> {
    const env = { ...yard().env, SWITCHYARD_SOCKET: yard().paths.gatewaySocket, SWITCHYARD_SURFACE_ID: surface };
    const child = spawn(process.execPath, [HOOK, 'claude', event], { env, stdio: ['pipe', 'inherit', 'inherit'] });
    child.stdin.end(JSON.stringify(payload));
    expect(await once(child, 'exit')).toEqual([0, null]);
  }

  it('set the state of their terminal and name its session', async () => {
    const surface = await open('cat');
    await hook(surface, 'UserPromptSubmit', { session_id: 's1', transcript_path: '/t/s1.jsonl' });
    expect(await rowOf(surface)).toMatchObject({
      agent_state: 'working',
      agent_state_source: 'hooks',
      agent_session_id: 's1',
    });
    await hook(surface, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'touch x' } });
    expect(await rowOf(surface)).toMatchObject({
      agent_state: 'blocked',
      agent_question: { kind: 'permission', excerpt: 'Bash: touch x' },
    });
    await hook(surface, 'SessionEnd', { session_id: 's1', reason: 'other' });
    expect(await rowOf(surface)).toMatchObject({ agent_state: null, agent_session_id: 's1' });
  });

  it('D14: the end of a turn and the reminder of it are one end', async () => {
    const surface = await open('cat');
    await hook(surface, 'UserPromptSubmit', { session_id: 's1' });
    await hook(surface, 'Stop', { session_id: 's1' });
    const { agent_state, agent_since } = await rowOf(surface);
    expect(agent_state).toBe('idle');
    await hook(surface, 'Notification', { session_id: 's1', notification_type: 'idle_prompt' });
    expect((await rowOf(surface)).agent_since).toBe(agent_since);
  });

  it('D15: an installed integration tells the agent from an agent inside it', async () => {
    const home = yard().env['HOME'] ?? '';
    expect((await yard().cli('integration', 'install', 'claude')).stdout).toContain('claude: current');
    const surface = await open(fakeClaude(home), 'SessionStart:root', 'UserPromptSubmit:root', 'nested', 'wait');
    const client = await yard().client();
    const sessions = await waitFor('both sessions are known', async () => {
      const all = await client.call('agent.sessions', { surface_id: surface });
      return all.children.length > 0 ? all : undefined;
    });
    expect(sessions.current).toMatchObject({ session_id: 'root', agent: 'claude-code' });
    expect(sessions.children.map(({ session_id }) => session_id)).toEqual(['nested']);
    await client.call('surface.wait', { surface_id: surface, pattern: 'nested agent done', timeout_ms: WAIT_MS });
    expect((await rowOf(surface)).agent_state, 'its Stop is not the end of the turn').toBe('working');
    const { stdout } = await yard().cli('integration', 'uninstall', 'claude');
    expect(stdout).toContain('claude: missing');
  });
});

/** Runs the hooks in its settings as Claude Code does, by shell and with JSON on their standard input. */
function fakeClaude(home: string): string {
  const path = join(home, 'bin', 'claude');
  mkdirSync(join(home, 'bin'), { recursive: true });
  const run = (script: string) => writeFileSync(path, script, { mode: 0o755 });
  run(`#!${process.execPath}
const { execSync, spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { hooks } = JSON.parse(readFileSync(process.env.HOME + '/.claude/settings.json', 'utf8'));
function fire(event, session_id) {
  const input = JSON.stringify({ session_id, hook_event_name: event, source: 'startup' });
  for (const { hooks: list } of hooks[event]) for (const { command } of list) execSync(command, { input });
}
for (const step of process.argv.slice(2)) {
  const [event, session] = step.split(':');
  if (step === 'nested') {
    const own = ["'" + process.argv[1] + "'", 'SessionStart:nested', 'UserPromptSubmit:nested', 'Stop:nested'].join(' ');
    spawnSync('/bin/sh', ['-c', own + '; echo nested agent done'], { stdio: 'inherit' });
  } else if (step === 'wait') setInterval(() => {}, 1000);
  else fire(event, session);
}
`);
  expect(readFileSync(path, 'utf8')).toContain('hooks');
  return path;
}
