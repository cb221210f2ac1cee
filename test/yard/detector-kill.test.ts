import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@switchyard/client';
import { waitFor } from '@switchyard/testing';
import { expect, it } from 'vitest';
import { useYard } from './use-yard.js';

/** So many that a worker that shares them with one other has some of them in its hands. */
const SURFACES = 12;
/** On a busy machine a question may be asked again, of the other worker, before the first has been killed. */
const MOST_TRIES = 5;
const PATIENCE_MS = 30_000;
const SCREEN = new URL('switching-agent.sh', import.meta.url);

type State = 'idle' | 'working';

const yard = useYard({ settings: { services: { detectors: 2 }, layout: { pane_cap: 1024 } } });

it('a detector that is killed with screens in its hands loses no change of a state', async () => {
  const client = await yard().client();
  const workspace_id = await openAgents(client);
  await untilAll(client, workspace_id, 'idle');
  let held = 0;
  for (let turn = 1; turn <= MOST_TRIES && held === 0; turn++) {
    const next = turn % 2 === 1 ? 'working' : 'idle';
    held = await killAmid(client, workspace_id, next, turn);
    // Nothing is painted any more: a change that was lost would stay so.
    await untilAll(client, workspace_id, next);
  }
  expect(held, 'screens that the killed worker had been given').toBeGreaterThan(0);
});

async function openAgents(client: Client): Promise<string> {
  // A script is known by the name of its file.
  const agent = join(yard().dir, 'claude');
  copyFileSync(SCREEN, agent);
  chmodSync(agent, 0o755);
  const { workspace_id } = await client.call('workspace.create', { title: 'agents' });
  for (let i = 0; i < SURFACES; i++) await client.call('surface.create', { workspace_id, argv: ['/bin/bash', agent] });
  return workspace_id;
}

/**
 * Changes every state while one worker is held still, and kills that worker once the other has answered what it was given.
 * @returns how many changes were not known by then
 */
async function killAmid(client: Client, workspace_id: string, next: State, turn: number): Promise<number> {
  const pid = await yard().pidOf('detector');
  process.kill(pid, 'SIGSTOP');
  const agents = await agentsIn(client, workspace_id);
  for (const { id: surface_id } of agents) await client.call('surface.send_text', { surface_id, text: `${next}\n` });
  for (const { id: surface_id } of agents) {
    await client.call('surface.wait', { surface_id, pattern: `Turn ${turn} of`, timeout_ms: PATIENCE_MS });
  }
  const waiting = async () => (await agentsIn(client, workspace_id)).filter(({ agent_state }) => agent_state !== next);
  await waitFor('the other worker answers', async () => (await waiting()).length < SURFACES);
  const held = (await waiting()).length;
  await yard().kill('detector');
  await yard().untilRestarted('detector', pid);
  return held;
}

async function agentsIn(client: Client, workspace_id: string) {
  const { surfaces } = await client.call('surface.list', { workspace_id });
  return surfaces.filter(({ agent }) => agent === 'claude-code');
}

async function untilAll(client: Client, workspace_id: string, state: State): Promise<void> {
  let last: unknown;
  const all = async () => {
    const states = (await agentsIn(client, workspace_id)).map(({ agent_state }) => agent_state);
    last = states;
    return states.length === SURFACES && states.every((each) => each === state);
  };
  await waitFor(`every agent is seen ${state}`, all, { timeoutMs: PATIENCE_MS, seen: () => last });
}
