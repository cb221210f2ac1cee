import { mkdirSync } from 'node:fs';
import { nkeyAuthenticator } from '@nats-io/nats-core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Bus, connectBus, type HandlerContext } from '@switchyard/bus';
import { type YardPaths, yardPaths } from '@switchyard/config';
import type { Handlers, ServiceName } from '@switchyard/protocol';
import { busAddressOf, type HostCredentials } from '@switchyard/service/host-credentials';
import { freePort, tempDir } from '@switchyard/testing';
import { ensureBusFile, findNatsServer, natsServerProgram, type YardAddress } from '../src/adapters/broker.js';
import { ownFacts } from '../src/adapters/installation.js';
import { launcher, type Program } from '../src/adapters/launch.js';
import type { ProcessSpec } from '../src/domain/process-plan.js';
import { Fleet } from '../src/fleet/fleet.js';
import { ManagedProcess } from '../src/managed-process.js';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const READY_MS = 15_000;

type SomeHandlers = Partial<Record<string, (params: never, ctx: HandlerContext) => unknown>>;

/** Both brokers of a yard with a fleet, run and configured as the supervisor does. Services of the yard are the test's. */
export class FleetScene {
  readonly paths: YardPaths;
  readonly #dir = tempDir('sy-fleet');
  readonly #ends: (() => unknown)[] = [];
  #parts:
    | { address: YardAddress; fleet: Fleet; yard: ManagedProcess; public: ManagedProcess; port: number }
    | undefined;

  constructor() {
    const root = this.#dir.path;
    const env = { HOME: root, SWITCHYARD_RUNTIME_DIR: `${root}/run`, SWITCHYARD_STATE_DIR: `${root}/state` };
    this.paths = yardPaths(env, uid);
    for (const dir of [this.paths.runtimeDir, this.paths.stateDir, this.paths.logDir]) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
    }
  }

  get parts() {
    if (this.#parts === undefined) throw new Error('the scene has not begun');
    return this.#parts;
  }

  get space(): string {
    return this.parts.address.space;
  }

  async begin(): Promise<void> {
    const executable = findNatsServer(process.env['PATH']) ?? '';
    const address = await ensureBusFile(this.paths, { kind: 'nats-server' }, false);
    const port = await freePort();
    const settings = { listen: `0.0.0.0:${port}`, names: ['127.0.0.1'] };
    const broker = (): ManagedProcess => publicBroker;
    const fleet = await Fleet.open({ paths: this.paths, uid, settings, address, log: quiet, broker });
    const yard = this.#process('bus', 'broker', () => natsServerProgram(executable, address, this.paths, process.env));
    const publicBroker = this.#process('bus-fleet', 'fleet-broker', () => fleet.program(executable, process.env));
    this.#parts = { address, fleet, yard, public: publicBroker, port };
    for (const each of [yard, publicBroker]) {
      each.start();
      if (!(await each.untilReady(READY_MS))) throw new Error(`${each.spec.name} does not start`);
    }
  }

  /** A service of the yard itself. */
  async service<S extends ServiceName>(service: S, handlers: SomeHandlers): Promise<Bus> {
    const bus = await this.yardBus(service);
    await bus.serve(service, '_', handlers as unknown as Handlers<S, HandlerContext>);
    return bus;
  }

  /** Has a process of another machine answer as a pty-host of that machine. */
  async at(host: Bus, address: string, handlers: SomeHandlers): Promise<void> {
    await host.serve('pty-host', address, handlers as unknown as Handlers<'pty-host', HandlerContext>);
  }

  async yardBus(service: ServiceName = 'workspace-service'): Promise<Bus> {
    const { url, token, space } = this.parts.address;
    return this.#later(await connectBus({ url, token, space, service, log: quiet }));
  }

  /** A process on another machine. */
  async hostBus(credentials: HostCredentials): Promise<Bus> {
    const where = { ...busAddressOf(credentials), host: credentials.name };
    return this.#later(
      await connectBus({ ...where, service: 'pty-host', address: `${credentials.name}-0`, log: quiet }),
    );
  }

  /** Somebody who has the credentials of a machine and speaks NATS as he likes. */
  async stranger({ urls, seed, ca }: HostCredentials): Promise<NatsConnection> {
    const servers = urls.map((url) => new URL(url).host);
    const authenticator = nkeyAuthenticator(Buffer.from(seed));
    return this.#closed(await connect({ servers, authenticator, tls: { ca }, reconnect: false, timeout: 5000 }));
  }

  /** Who hears everything that is said in the yard. */
  async listener(): Promise<NatsConnection> {
    const { url, token } = this.parts.address;
    return this.#closed(await connect({ servers: new URL(url).host, token, reconnect: false }));
  }

  async clear(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }

  async end(): Promise<void> {
    await this.clear();
    this.#parts?.fleet.close();
    await this.#parts?.public.retire('SIGKILL');
    await this.#parts?.yard.retire('SIGKILL');
    this.#dir.remove();
  }

  #process(name: string, service: 'broker' | 'fleet-broker', program: () => Program): ManagedProcess {
    const spec: ProcessSpec = { name, service, address: '_', host: 'local', shard: 0, shards: 1 };
    const launch = launcher(program, this.paths.logDir);
    return new ManagedProcess(spec, {
      launch,
      log: quiet,
      standsBy: false,
      stopMs: 5000,
      installation: ownFacts(),
    });
  }

  #later(bus: Bus): Bus {
    this.#ends.push(() => bus.close());
    return bus;
  }

  #closed(connection: NatsConnection): NatsConnection {
    this.#ends.push(() => connection.close());
    return connection;
  }
}

const uid = process.getuid?.() ?? 0;
