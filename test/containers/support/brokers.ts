import { waitFor } from '@switchyard/testing';
import type { TestContainer } from './container.js';
import type { ContainerNetwork } from './network.js';

const CONFIG = '/etc/nats-server.conf';
const CLIENTS = 4222;
const MONITOR = 8222;
const ROUTES = 6222;
const LEAVES = 7422;
const LOGIN = 'yard:for-tests-only';
const [USER, PASSWORD] = LOGIN.split(':');
const AUTHORIZATION = `authorization { user: "${USER}", password: "${PASSWORD}" }`;
const START_MS = 30_000;

/** A nats-server in a container of its own. */
export class BrokerNode {
  readonly box: TestContainer;

  constructor(box: TestContainer) {
    this.box = box;
  }

  /** With credentials, for `bus.broker`. */
  get url(): string {
    return `nats://${LOGIN}@${this.box.address}:${CLIENTS}`;
  }

  /** Names of the processes that are connected to it. */
  async clients(): Promise<string[]> {
    const { connections } = await this.#ask<{ connections: { name?: string }[] }>('connz');
    return connections.map(({ name = '' }) => name);
  }

  /** Other nodes of its cluster, or leaf nodes, that it is connected with. */
  async neighbours(): Promise<number> {
    const { routes, leafnodes } = await this.#ask<{ routes: number; leafnodes: number }>('varz');
    return routes + leafnodes;
  }

  async untilMeets(others: number): Promise<void> {
    const meets = async () => (await this.neighbours()) >= others;
    await waitFor(`${this.box.name} meets ${others} other brokers`, meets, { timeoutMs: START_MS });
  }

  async #ask<T>(page: string): Promise<T> {
    const signal = AbortSignal.timeout(2000);
    return (await (await fetch(`http://${this.box.address}:${MONITOR}/${page}`, { signal })).json()) as T;
  }
}

/** Nodes that know of each other, each connected with all others. */
export async function startCluster(network: ContainerNetwork, size: number): Promise<BrokerNode[]> {
  const routes = Array.from({ length: size }, (_, i) => `nats://${LOGIN}@${network.addressAfter(i)}:${ROUTES}`);
  const cluster = `cluster { name: test, port: ${ROUTES}, ${AUTHORIZATION}, routes: [${routes.join(', ')}] }`;
  const nodes: BrokerNode[] = [];
  for (let i = 1; i <= size; i++) nodes.push(await startBroker(network, `broker-${i}`, cluster));
  for (const node of nodes) await node.untilMeets(size - 1);
  return nodes;
}

/** One that leaf nodes may connect to, and such a leaf node. */
export async function startHubAndLeaf(network: ContainerNetwork): Promise<{ hub: BrokerNode; leaf: BrokerNode }> {
  const hub = await startBroker(network, 'hub', `leafnodes { port: ${LEAVES}, ${AUTHORIZATION} }`);
  const remote = `nats-leaf://${LOGIN}@${hub.box.address}:${LEAVES}`;
  const leaf = await startBroker(network, 'leaf', `leafnodes { reconnect: 1, remotes: [{ url: "${remote}" }] }`);
  await leaf.untilMeets(1);
  return { hub, leaf };
}

async function startBroker(network: ContainerNetwork, name: string, more: string): Promise<BrokerNode> {
  const lines = [`server_name: ${name}`, `port: ${CLIENTS}`, `http: ${MONITOR}`, AUTHORIZATION, more];
  const box = await network.startContainer({
    name,
    command: ['nats-server', '--config', CONFIG],
    files: { [CONFIG]: `${lines.join('\n')}\n` },
  });
  const node = new BrokerNode(box);
  await waitFor(`${name} answers`, async () => (await node.clients()) !== undefined, { timeoutMs: START_MS });
  return node;
}
