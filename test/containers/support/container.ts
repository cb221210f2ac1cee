import { fileURLToPath } from 'node:url';
import { GenericContainer, type StartedTestContainer } from 'testcontainers';
import { type Docker, labels } from './docker.js';
import { baseImage } from './ground.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Where this clone, compiled, is mounted in every container: read-only, so that no test changes it for another. */
export const SWITCHYARD = '/opt/switchyard';
export const CLI = `${SWITCHYARD}/apps/cli/dist/main.js`;
const LOG_LINES = 40;

export interface ContainerSpec {
  /** Others on the network reach it by this name. */
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files that are there when the command starts, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** What a program in it may do besides the usual, e.g. NET_ADMIN for delays. */
  readonly capabilities?: readonly string[];
}

interface Place {
  readonly network: string;
  readonly address: string;
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** A machine of its own, as far as programs can see. */
export class TestContainer {
  readonly name: string;
  readonly address: string;
  readonly #daemon: Docker;
  readonly #started: StartedTestContainer;

  private constructor(daemon: Docker, spec: ContainerSpec & Place, started: StartedTestContainer) {
    this.#daemon = daemon;
    this.#started = started;
    this.name = spec.name;
    this.address = spec.address;
  }

  static async start(daemon: Docker, spec: ContainerSpec & Place): Promise<TestContainer> {
    return new TestContainer(daemon, spec, await new PlacedContainer(spec).start());
  }

  get id(): string {
    return this.#started.getId();
  }

  /** Runs a program in it to its end. */
  async exec(...argv: string[]): Promise<Ran> {
    const { exitCode, output } = await this.#started.exec(argv);
    return { code: exitCode, output };
  }

  /** SIGKILL, to the command it was started with and all else in it: as if its plug were pulled. */
  async kill(): Promise<void> {
    await this.#container.kill({ signal: 'SIGKILL' });
    await this.#container.wait();
  }

  /** Holds everything in it still, as a machine that hangs. A kill ends that too. */
  async freeze(): Promise<void> {
    await this.#container.pause();
  }

  /** Starts a killed one again, with the files as they were left. */
  async start(): Promise<void> {
    await this.#container.start();
  }

  async logs(): Promise<string> {
    const bytes = await this.#container.logs({ stdout: true, stderr: true, tail: LOG_LINES });
    return bytes.toString('utf8');
  }

  async remove(): Promise<void> {
    await this.#container.remove({ force: true, v: true });
  }

  get #container() {
    return this.#daemon.getContainer(this.id);
  }
}

/** testcontainers lets Docker choose the address; ours must be known beforehand, and be the same after a restart. */
class PlacedContainer extends GenericContainer {
  readonly #place: Place;
  readonly #name: string;

  constructor({ network, address, name, command, env = {}, files = {}, capabilities = [] }: ContainerSpec & Place) {
    super(baseImage());
    this.#place = { network, address };
    this.#name = name;
    this.withCommand([...command])
      .withEnvironment({ ...env })
      .withLabels(labels())
      .withNetworkMode(network)
      .withAddedCapabilities(...capabilities)
      .withBindMounts([{ source: ROOT, target: SWITCHYARD, mode: 'ro' }])
      .withCopyContentToContainer(Object.entries(files).map(([target, content]) => ({ target, content })))
      // Its own would be a container of an image that no registry gives us; we remove what we start.
      .withAutoCleanup(false);
  }

  protected override async beforeContainerCreated(): Promise<void> {
    const { network, address } = this.#place;
    this.createOpts.Hostname = this.#name;
    this.createOpts.NetworkingConfig = {
      EndpointsConfig: { [network]: { IPAMConfig: { IPv4Address: address }, Aliases: [this.#name] } },
    };
  }
}
