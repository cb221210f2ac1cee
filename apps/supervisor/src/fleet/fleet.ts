import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type HostKey, hostPermissions, type Log, makeHostKey, tryLogin } from '@switchyard/bus';
import type { Settings, YardPaths } from '@switchyard/config';
import { fail, type Params } from '@switchyard/protocol';
import type { HostCredentials } from '@switchyard/service/host-credentials';
import { answers, type YardAddress } from '../adapters/broker.js';
import { writePrivateText } from '../adapters/json-file.js';
import type { Program } from '../adapters/launch.js';
import { ensureStateDir } from '../adapters/private-dir.js';
import {
  certificateNames,
  type FleetUser,
  fleetServerConfig,
  fleetUrls,
  fleetUsersConfig,
  type ListenAddress,
  listenAddress,
} from '../domain/fleet-config.js';
import type { ManagedProcess } from '../managed-process.js';
import { type ServerCertificate, serverCertificate } from './certificates.js';
import { type Admitted, fleetDir, type Roster, readRoster, writeRoster } from './roster.js';

/** Reading some thousand users takes nats-server less than a second. */
const RELOAD_MS = 10_000;
const LOOK_MS = 20;
/** The certificate is looked at so often, in yards that run for months. */
const RENEW_CHECK_MS = 12 * 3_600_000;
const CONFIG = 'nats-fleet.conf';
const USERS = 'nats-fleet-users.conf';
/** In the runtime folder; they matter while the yard runs. */
export const FLEET_FILES = [CONFIG, USERS];

export interface FleetDeps {
  readonly paths: YardPaths;
  readonly uid: number;
  readonly settings: Settings['fleet'];
  readonly address: YardAddress;
  readonly log: Log;
  /** The process `bus-fleet`, once there is one. */
  readonly broker: () => ManagedProcess | undefined;
}

/** Who of other machines may connect, and the nats-server that they connect to. */
export class Fleet {
  readonly #deps: FleetDeps;
  readonly #listen: ListenAddress;
  readonly #names: readonly string[];
  readonly #renewing: NodeJS.Timeout;
  #certificate: ServerCertificate;
  #roster: Roster;
  /** Nobody's key, another with each change: who can log in with it is served by the newest list. */
  #marker: HostKey = makeHostKey();
  /** One change after the other. */
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(deps: FleetDeps, certificate: ServerCertificate) {
    this.#deps = deps;
    this.#listen = listenAddress(deps.settings.listen);
    this.#names = namesOf(deps.settings);
    this.#certificate = certificate;
    this.#roster = rosterFor(deps);
    this.#renewing = setInterval(() => void this.#renew(), RENEW_CHECK_MS).unref();
  }

  static async open(deps: FleetDeps): Promise<Fleet> {
    ensureStateDir(fleetDir(deps.paths), deps.uid);
    return new Fleet(deps, await certificateFor(deps));
  }

  close(): void {
    clearInterval(this.#renewing);
  }

  /** Makes a key for a machine, in place of any before. Resolves when it is let in with it. */
  admit({ name, pty_hosts, detectors }: Params<'fleet.admit'>): Promise<HostCredentials> {
    return this.#inTurn(async () => {
      const { seed, publicKey } = makeHostKey();
      const others = this.#roster.hosts.filter((host) => host.name !== name);
      await this.#change([...others, { name, public_key: publicKey, pty_hosts, detectors }]);
      const { space } = this.#roster;
      const urls = fleetUrls(this.#names, this.#listen);
      return { version: 1, name, space, urls, seed, ca: this.#certificate.ca, pty_hosts, detectors };
    });
  }

  /** Resolves when it is cut off. @returns false when it was not admitted */
  expel(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const others = this.#roster.hosts.filter((host) => host.name !== name);
      if (others.length === this.#roster.hosts.length) return false;
      await this.#change(others);
      return true;
    });
  }

  /** A nats-server for other machines, joined to that of the yard over loopback. */
  program(executable: string, env: NodeJS.ProcessEnv): Program {
    const { leaf } = this.#deps.address;
    if (leaf === undefined) throw new Error('the broker of the yard has no place for a fleet');
    const { certificate, key } = this.#certificate;
    this.#writeUsers();
    const config = this.#file(CONFIG);
    const parts = { listen: this.#listen, certificate, key, users: USERS, yard: leaf };
    writePrivateText(config, fleetServerConfig(parts));
    const { ownHost, port } = this.#listen;
    return { command: executable, args: ['--config', config], env, ready: (signal) => answers(ownHost, port, signal) };
  }

  async #change(hosts: readonly Admitted[]): Promise<void> {
    this.#roster = { ...this.#roster, hosts };
    writeRoster(this.#deps.paths, this.#roster);
    await this.#reload();
  }

  /** Has the running broker read what is written now, and waits until it has. One that starts later reads it anyway. */
  async #reload(): Promise<void> {
    this.#marker = makeHostKey();
    this.#writeUsers();
    const over = AbortSignal.timeout(RELOAD_MS);
    let told: number | undefined;
    for (;;) {
      const broker = this.#deps.broker();
      const pid = broker?.pid;
      if (broker === undefined || pid === undefined) return;
      // Before it is ready the signal would end it.
      if (broker.state === 'ready' && told !== pid) {
        broker.hangUp();
        told = pid;
      }
      if (await this.#isServed()) return;
      if (over.aborted) fail('timeout', 'bus-fleet does not read its list of hosts; see its log.');
      await delay(LOOK_MS);
    }
  }

  #isServed(): Promise<boolean> {
    const { ownHost, port } = this.#listen;
    const [url = ''] = fleetUrls([ownHost], { ...this.#listen, port });
    return tryLogin({ url, token: '', seed: this.#marker.seed, ca: this.#certificate.ca });
  }

  #writeUsers(): void {
    const { space, hosts } = this.#roster;
    const fleet = hosts.map(({ name, pty_hosts: ptyHosts, detectors }) => ({ name, ptyHosts, detectors }));
    const users: FleetUser[] = fleet.map((host, index) => {
      const publicKey = hosts[index]?.public_key ?? '';
      return { publicKey, ...hostPermissions(space, host, fleet) };
    });
    const marker = { publicKey: this.#marker.publicKey, publish: [], subscribe: [] };
    writePrivateText(this.#file(USERS), fleetUsersConfig([...users, marker]));
  }

  #file(name: string): string {
    return join(this.#deps.paths.runtimeDir, name);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#changes.then(work);
    // Its caller is told of a failure; the next change has nothing to do with it.
    this.#changes = result.catch(() => undefined);
    return result;
  }

  async #renew(): Promise<void> {
    try {
      const certificate = await certificateFor(this.#deps);
      this.#certificate = certificate;
      if (certificate.isNew) await this.#inTurn(() => this.#reload());
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the certificate of the fleet cannot be made anew');
    }
  }
}

function certificateFor({ paths, settings }: FleetDeps): Promise<ServerCertificate> {
  const names = certificateNames(namesOf(settings), listenAddress(settings.listen));
  return serverCertificate(fleetDir(paths), names);
}

const namesOf = ({ names }: Settings['fleet']) => (names.length > 0 ? names : [hostname()]);

/** The list there is. A yard that ran before it had a fleet goes on with the space that its processes know. */
function rosterFor({ paths, address: { space }, log }: FleetDeps): Roster {
  const present = readRoster(paths);
  if (present?.space === space) return present;
  if (present !== undefined) log.error({ hosts: present.hosts }, 'the credentials of all hosts are for another yard');
  const roster = { space, hosts: [] };
  writeRoster(paths, roster);
  return roster;
}
