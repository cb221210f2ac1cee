import { chmodSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@switchyard/client';
import { startYard, waitFor, type Yard } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type BrokerNode, startHubAndLeaf } from './support/brokers.js';
import { CLI, type TestContainer } from './support/container.js';
import { describeContainers } from './support/ground.js';
import { useNetwork } from './support/network.js';

const WORKERS = 4;
const SURFACES = 12;
const PATIENCE_MS = 60_000;
const SCREEN = new URL('../yard/switching-agent.sh', import.meta.url);
const CREDS = '/run/bus.json';

type State = 'idle' | 'working';

describeContainers('a yard whose detectors are on four machines behind a leaf node', () => {
  const network = useNetwork();
  const workers: TestContainer[] = [];
  let leaf: BrokerNode;
  let yard: Yard;
  let client: Client;
  let workspace_id = '';
  let turn = 0;

  beforeAll(async () => {
    const brokers = await startHubAndLeaf(network());
    leaf = brokers.leaf;
    const settings = { bus: { broker: brokers.hub.url }, services: { detectors: 0 }, layout: { pane_cap: 1024 } };
    yard = await startYard({ settings });
    client = await yard.client();
    const creds = readFileSync(yard.paths.busFile, 'utf8');
    // What is copied in can be read by all: as a person would, the start closes it first.
    const start = `chmod 600 ${CREDS} && exec node ${CLI} detector --creds ${CREDS} --join ${leaf.url}`;
    for (let i = 1; i <= WORKERS; i++) {
      const command = ['/bin/sh', '-c', start];
      workers.push(await network().startContainer({ name: `detector-${i}`, command, files: { [CREDS]: creds } }));
    }
    workspace_id = await openAgents(yard, client);
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') yard?.keep();
  });
  afterAll(async () => {
    await yard?.stop();
  });

  it('has its screens judged by them, and misses nothing', async () => {
    const joined = async () => (await leaf.clients()).filter((name) => name === 'detector._').length;
    await waitFor('all four join', async () => (await joined()) === WORKERS, { timeoutMs: PATIENCE_MS });
    await untilAll('idle');
    expect(await client.call('system.health', {})).toMatchObject({ bus: { connected: true } });
    expect((await client.call('agent.detection.list', {})).manifests.length).toBeGreaterThan(0);
  });

  it('loses no change of a state when one is killed with screens in its hands', async () => {
    let held = 0;
    for (const worker of workers.slice(0, -1)) {
      const next = turn % 2 === 0 ? 'working' : 'idle';
      await worker.freeze();
      await change(next);
      const waiting = async () => (await states()).filter((state) => state !== next).length;
      await waitFor('the others answer', async () => (await waiting()) < SURFACES, { timeoutMs: PATIENCE_MS });
      held = await waiting();
      await worker.kill();
      await untilAll(next);
      if (held > 0) break;
    }
    expect(held, 'screens that the killed one may have been given').toBeGreaterThan(0);
  });

  it('loses none that happens while the leaf node is away', async () => {
    await leaf.box.kill();
    const next = turn % 2 === 0 ? 'working' : 'idle';
    await change(next);
    await leaf.box.start();
    await untilAll(next);
  });

  async function change(next: State): Promise<void> {
    turn++;
    const agents = await agentsIn();
    for (const { id: surface_id } of agents) await client.call('surface.send_text', { surface_id, text: `${next}\n` });
    for (const { id: surface_id } of agents) {
      await client.call('surface.wait', { surface_id, pattern: `Turn ${turn} of`, timeout_ms: PATIENCE_MS });
    }
  }

  async function agentsIn() {
    return (await client.call('surface.list', { workspace_id })).surfaces.filter(
      ({ agent }) => agent === 'claude-code',
    );
  }

  async function states() {
    return (await agentsIn()).map(({ agent_state }) => agent_state);
  }

  async function untilAll(state: State): Promise<void> {
    let last: unknown;
    const all = async () => {
      const found = await states();
      last = found;
      return found.length === SURFACES && found.every((each) => each === state);
    };
    await waitFor(`every agent is seen ${state}`, all, { timeoutMs: PATIENCE_MS, seen: () => last });
  }
});

async function openAgents(yard: Yard, client: Client): Promise<string> {
  // A script is known by the name of its file.
  const agent = join(yard.dir, 'claude');
  copyFileSync(SCREEN, agent);
  chmodSync(agent, 0o755);
  const { workspace_id } = await client.call('workspace.create', { title: 'agents' });
  for (let i = 0; i < SURFACES; i++) await client.call('surface.create', { workspace_id, argv: ['/bin/bash', agent] });
  return workspace_id;
}
