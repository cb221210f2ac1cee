import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@switchyard/client';
import { startYard, waitFor, within, type Yard } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ResumingReader } from '../yard/event-reader.js';
import { LineFollower, linePrinter, lineText } from '../yard/numbered-lines.js';
import { sizeFrom } from '../yard/use-yard.js';
import { type BrokerNode, startCluster } from './support/brokers.js';
import { describeContainers } from './support/ground.js';
import { useNetwork } from './support/network.js';

const NODES = 3;
const SURFACES = 4;
const LINES = sizeFrom('SWITCHYARD_TEST_LINES', 40_000);
const PATIENCE_MS = 60_000;
const MiB = 1024 * 1024;

interface Printer {
  readonly fifo: string;
  readonly lines: LineFollower;
}

describeContainers('a yard on a cluster of three brokers', () => {
  const network = useNetwork();
  const printers: Printer[] = [];
  let nodes: BrokerNode[] = [];
  let yard: Yard;
  let printed = 0;

  beforeAll(async () => {
    nodes = await startCluster(network(), NODES);
    const broker = nodes.map(({ url }) => url).join(',');
    yard = await startYard({ settings: { bus: { broker }, terminal: { log_budget_bytes: 256 * MiB } } });
    const client = await yard.client();
    for (let i = 0; i < SURFACES; i++) printers.push(await startPrinter(client, join(yard.dir, `${i}.fifo`)));
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') yard?.keep();
  });
  afterAll(async () => {
    await yard?.stop();
  });

  it('has its services on whichever node they met, and shows no credentials', async () => {
    const clients = await Promise.all(nodes.map((node) => node.clients()));
    expect(clients.flat()).toEqual(expect.arrayContaining(['gateway._', 'workspace-service._', 'pty-host.local-0']));
    const { bus } = await (await yard.client()).call('system.health', {});
    expect(bus.connected).toBe(true);
    for (const { box } of nodes) expect(bus.broker).toContain(box.address);
    expect(bus.broker).not.toContain('for-tests-only');
  });

  it.each(['gateway._', 'workspace-service._', 'pty-host.local-0'])(
    'loses no byte, no event and no request when the node of %s is killed',
    async (service) => {
      const node = await nodeOf(service);
      const client = await yard.client();
      const reader = new ResumingReader(yard);
      await reader.start();
      const renames = new Renames(client);
      await renames.begin();
      printed += LINES;
      const flood = async () => {
        await renames.further(20);
        for (const { fifo } of printers) appendFileSync(fifo, `${LINES}\n`);
        await node.box.kill();
        await nodeOf(service);
        await renames.further(20);
      };
      await Promise.all([...printers.map(({ lines }) => untilShown(client, lines.surfaceId, printed)), flood()]);
      for (const { lines } of printers) await within(PATIENCE_MS, 'the last line', lines.readUntil(client, printed));
      expect(await renames.end()).toEqual([]);
      await waitFor('every event comes', () => reader.titles.length >= renames.count, { seen: () => reader.titles });
      expect(reader.titles).toEqual(Array.from({ length: renames.count }, (_, i) => i + 1));
      expect(reader.gaps).toEqual([]);
      await reader.stop();
      await node.box.start();
      await node.untilMeets(NODES - 1);
    },
  );

  /** The node that a service is connected to. */
  async function nodeOf(service: string): Promise<BrokerNode> {
    const has = async (node: BrokerNode) => {
      const clients = await node.clients().catch((): string[] => []);
      return clients.includes(service) ? node : undefined;
    };
    const find = async () => (await Promise.all(nodes.map(has))).find((node) => node !== undefined);
    return waitFor(`${service} is connected to a node`, find);
  }
});

async function startPrinter(client: Client, fifo: string): Promise<Printer> {
  execFileSync('mkfifo', [fifo]);
  const { surface_id } = await client.call('workspace.create', { argv: linePrinter(fifo) });
  await client.call('surface.wait', { surface_id, pattern: 'READY \\d+;' });
  const { next_offset } = await client.call('surface.read_output', { surface_id, offset: 0 });
  return { fifo, lines: new LineFollower(surface_id, next_offset) };
}

const untilShown = (client: Client, surface_id: string, line: number) =>
  client.call('surface.wait', { surface_id, pattern: lineText(line), timeout_ms: PATIENCE_MS });

/** Names a workspace 1, 2, 3 …, each after the answer to the last. */
class Renames {
  count = 0;
  readonly #client: Client;
  readonly #failures: unknown[] = [];
  #ending = false;
  #work: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  async begin(): Promise<void> {
    const { workspace_id } = await this.#client.call('workspace.create', { title: 'counted' });
    this.#work = this.#go(workspace_id);
  }

  async further(some: number): Promise<void> {
    const count = this.count + some;
    const enough = () => this.count >= count || this.#failures.length > 0;
    await waitFor(`${count} renames`, enough, { timeoutMs: PATIENCE_MS, seen: () => this.count });
    expect(this.#failures).toEqual([]);
  }

  /** @returns what failed */
  async end(): Promise<unknown[]> {
    this.#ending = true;
    await this.#work;
    return this.#failures;
  }

  async #go(workspace_id: string): Promise<void> {
    while (!this.#ending && this.#failures.length === 0) {
      const title = String(this.count + 1);
      // With an id of its own a request whose outcome is not known is asked again by the gateway, and done once.
      const params = { workspace_id, title, request_id: `${workspace_id}-${title}` };
      try {
        await this.#client.callNamed('workspace.rename', params);
        this.count++;
      } catch (error) {
        this.#failures.push(error);
      }
    }
  }
}
