import { waitFor, within } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { COMPOSER, startComposer } from './composer-program.js';
import { useYard } from './use-yard.js';

/** A recognised agent that says itself what it does. */
const TALKS = { SWITCHYARD_AGENT: 'claude-code', COMPOSER_STATUS: '1' };
/** "At once", on a machine that is busy with other tests. */
const SOON_MS = 5000;

describe('an agent in a yard', () => {
  const yard = useYard();

  it('is started by name, prompted, interrupted and waited for', async () => {
    const client = await yard().client();
    const started = await client.call('agent.start', {
      kind: 'claude-code',
      command: [process.execPath, COMPOSER],
      name: 'worker',
      env: { COMPOSER_STATUS: '1', COMPOSER_WORK_MS: '600' },
      new_workspace: true,
    });
    expect(started).toMatchObject({ agent: 'claude-code', name: 'worker', state: 'idle', source: 'program' });
    const prompted = await client.call('agent.prompt', { name: 'worker', text: 'Say hello.', wait: false });
    expect(prompted).toMatchObject({ surface_id: started.surface_id, working_observed: true });
    expect(await client.call('agent.interrupt', { name: 'worker' })).toMatchObject({ key: 'escape' });
    expect(await client.call('agent.wait', { name: 'worker' })).toMatchObject({ state: 'idle', pid: started.pid });
    const { agents } = await client.call('agent.list', {});
    expect(agents).toMatchObject([{ surface_id: started.surface_id, name: 'worker' }]);
  });

  it('C10: who waits for it is told at once when its terminal is closed', async () => {
    const client = await yard().client();
    const { surface_id } = await startComposer(yard(), { ...TALKS, COMPOSER_WORK_MS: '60000' });
    await client.call('agent.prompt', { surface_id, text: 'Work for a minute.', wait: false });
    const state = client.call('surface.wait', { surface_id, agent_state: 'idle', timeout_ms: 60_000 });
    const agent = client.call('agent.wait', { surface_id, timeout_ms: 60_000 });
    const ends = Promise.allSettled([state, agent]);
    await client.call('workspace.close', {
      workspace_id: (await client.call('agent.get', { surface_id })).workspace_id,
    });
    expect(await within(SOON_MS, 'both waits end', ends)).toMatchObject([
      { status: 'rejected', reason: { code: 'not_found' } },
      { status: 'rejected', reason: { code: 'agent_not_running' } },
    ]);
  });

  it('has no state any more once its process is gone, though its terminal is there', async () => {
    const client = await yard().client();
    const { surface_id } = await client.call('workspace.create', {});
    const command = `COMPOSER_STATUS=1 SWITCHYARD_AGENT=claude-code ${process.execPath} ${COMPOSER}`;
    await client.call('surface.send_text', { surface_id, text: `${command}\n` });
    const { pid } = await waitFor('it is recognised', () => client.call('agent.get', { surface_id }));
    process.kill(pid ?? 0, 'SIGKILL');
    const isGone = async () => {
      const { surfaces } = await client.call('surface.list', { surface_id });
      return surfaces[0]?.agent === null && surfaces[0].agent_state === null;
    };
    await waitFor('its state is gone', isGone);
  });

  it('a wait for its state outlives the workspace-service that was asked', async () => {
    const client = await yard().client();
    const { surface_id } = await startComposer(yard(), { ...TALKS, COMPOSER_WORK_MS: '3000' });
    await client.call('agent.prompt', { surface_id, text: 'Work for a moment.', wait: false });
    const waits = Promise.all([
      client.call('surface.wait', { surface_id, agent_state: 'idle', timeout_ms: 60_000 }),
      client.call('agent.wait', { surface_id, timeout_ms: 60_000 }),
    ]);
    const pid = await yard().kill('workspace-service');
    await yard().untilRestarted('workspace-service', pid);
    expect(await waits).toMatchObject([{ state: 'idle' }, { state: 'idle', agent: 'claude-code' }]);
  });

  it('is used from the command line', async () => {
    const options = ['--command', process.execPath, '--new-workspace', '--name', 'cli', '--env', 'COMPOSER_STATUS=1'];
    const started = await yard().cli('start-agent', ...options, 'claude', COMPOSER);
    expect(started).toMatchObject({ code: 0, stderr: '' });
    const [surface = ''] = started.stdout.split(' ');
    expect(started.stdout).toBe(`${surface} idle\n`);
    const prompted = await yard().cli('prompt', surface, '--id', 'once', 'Say', 'hello.');
    expect(prompted).toMatchObject({ code: 0, stderr: '' });
    expect(prompted.stdout).toMatch(/^(submitted|turn_started|finished)\n$/);
    expect((await yard().cli('prompt', 'cli', '--id', 'once', 'Say hello.')).code).toBe(0);
    expect((await yard().cli('wait', surface, '--agent-state', 'idle')).stdout).toBe('idle\n');
    expect((await yard().cli('prompt', 'cli', '--wait', 'And again.')).stdout).toBe('idle\n');
    const rows = (await yard().cli('agents')).stdout.split('\n');
    expect(rows[0]).toMatch(/^SURFACE +AGENT +STATE +SINCE +QUESTION$/);
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^${surface} +claude-code \\(cli\\) +idle +\\d+s`)));
    expect(await yard().cli('start-agent', 'no-such-agent')).toMatchObject({ code: 1 });
  });
});
