import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { type ContainerSpec, TestContainer } from './container.js';
import { type Docker, docker, labels } from './docker.js';

/** Networks of 254 addresses, in a range that neither Docker's own nor the usual home and office networks use. */
const FIRST_NET = 64;
const LAST_NET = 127;
const TRIES = 20;
/** The first address is the machine's own. */
const FIRST_ADDRESS = 2;

/**
 * A network that containers are on, which nothing else is on. The test itself reaches them by their addresses, which stay
 * the same over restarts and reconnects; among themselves they also have names.
 */
export class ContainerNetwork {
  readonly name: string;
  /** Where containers reach what the test's own machine listens on. */
  readonly gateway: string;
  readonly #daemon: Docker;
  readonly #id: string;
  readonly #prefix: string;
  readonly #containers: TestContainer[] = [];
  #next = FIRST_ADDRESS;

  private constructor(daemon: Docker, id: string, name: string, prefix: string) {
    this.#daemon = daemon;
    this.#id = id;
    this.#prefix = prefix;
    this.name = name;
    this.gateway = `${prefix}.1`;
  }

  static async open(): Promise<ContainerNetwork> {
    const daemon = await docker();
    const name = `sy-test-${randomBytes(4).toString('hex')}`;
    for (let left = TRIES; ; left--) {
      const prefix = `10.${randomInt(FIRST_NET, LAST_NET)}.${randomInt(255)}`;
      const IPAM = { Config: [{ Subnet: `${prefix}.0/24`, Gateway: `${prefix}.1` }] };
      try {
        const { id } = await daemon.createNetwork({ Name: name, Driver: 'bridge', Labels: labels(), IPAM });
        return new ContainerNetwork(daemon, id, name, prefix);
      } catch (error) {
        // Somebody else's network may have these addresses.
        if (left === 0 || !/overlap/i.test(String(error))) throw error;
      }
    }
  }

  /** The address that the container started next will have, for configurations that name it beforehand. */
  addressAfter(others: number): string {
    return `${this.#prefix}.${this.#next + others}`;
  }

  /** Starts one and waits until it runs, not until it can do its work: that is for `waitFor` to see. */
  async startContainer(spec: ContainerSpec): Promise<TestContainer> {
    const address = `${this.#prefix}.${this.#next++}`;
    const container = await TestContainer.start(this.#daemon, { ...spec, network: this.name, address });
    this.#containers.push(container);
    return container;
  }

  /** Pulls its cable: packets to and from it vanish, and nobody is told. */
  async disconnect({ id }: TestContainer): Promise<void> {
    await this.#daemon.getNetwork(this.#id).disconnect({ Container: id, Force: true });
  }

  async connect({ id, address, name }: TestContainer): Promise<void> {
    const EndpointConfig = { IPAMConfig: { IPv4Address: address }, Aliases: [name] };
    await this.#daemon.getNetwork(this.#id).connect({ Container: id, EndpointConfig });
  }

  /** Ends and removes every container, then the network. */
  async close(): Promise<void> {
    await Promise.all(this.#containers.map((container) => container.remove()));
    await this.#daemon.getNetwork(this.#id).remove();
  }

  logs(): Promise<string[]> {
    return Promise.all(this.#containers.map(async (each) => `--- ${each.name}\n${await each.logs()}`));
  }
}

/** One network for the tests of a `describe` or file. @returns gives it once the tests run */
export function useNetwork(): () => ContainerNetwork {
  let network: ContainerNetwork | undefined;
  beforeAll(async () => {
    network = await ContainerNetwork.open();
  });
  afterAll(async () => {
    await network?.close();
  });
  return () => {
    if (network === undefined) throw new Error('the network is there only while tests run');
    return network;
  };
}
