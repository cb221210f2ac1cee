import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { fail, type Result } from '@switchyard/protocol';
import { type Candidate, isOpenChoice, placeByLoad } from './domain/host-placement.js';
import { type HostRecord, hostNamed, LOCAL, surfacesOn } from './domain/hosts.js';
import type { Model } from './domain/model.js';
import type { Hosts } from './hosts.js';

type Info = Result<'host.get'>;

/** What is known of the machines of a yard, for people who look and for terminals that need one. */
export class HostDirectory {
  readonly #hosts: Hosts;
  readonly #model: Model;
  readonly #version: string;

  /** @param version of the yard */
  constructor(hosts: Hosts, model: Model, version: string) {
    this.#hosts = hosts;
    this.#model = model;
    this.#version = version;
  }

  /**
   * The machine for a new terminal.
   *
   * @param wanted as the caller says; undefined: `around`
   * @throws `not_found`, `host_unreachable`, `invalid_state` when it takes no terminals
   */
  choose(wanted: string | undefined, around: string): string {
    if (wanted !== undefined && isOpenChoice(wanted)) return placeByLoad(wanted, this.#candidates());
    const name = wanted ?? around;
    if (name === LOCAL) return name;
    const { draining, state } = hostNamed(this.#model, name);
    this.#hosts.check(name);
    if (draining || state === 'retired')
      fail('invalid_state', `The host ${name} takes no new terminals`, { host: name });
    return name;
  }

  info(name: string): Info {
    return name === LOCAL ? this.#localInfo() : this.#infoOf(hostNamed(this.#model, name));
  }

  list(): Result<'host.list'>['hosts'] {
    const names = [...this.#model.hosts.values()].map(({ id }) => id).sort();
    return [LOCAL, ...names].map((name) => this.info(name));
  }

  #candidates(): Candidate[] {
    return this.list().map(({ host, labels, state, load, terminals }) => ({
      host,
      labels,
      open: state === 'online',
      load,
      terminals,
    }));
  }

  #localInfo(): Info {
    const load = {
      cpus: availableParallelism(),
      load_1m: loadavg()[0] ?? 0,
      memory_bytes: totalmem(),
      memory_free_bytes: freemem(),
    };
    return {
      host: LOCAL,
      state: 'online',
      since: 0,
      draining: false,
      last_contact_at: this.#model.now(),
      labels: [],
      version: this.#version,
      platform: `${process.platform} ${process.arch}`,
      pty_hosts: this.#hosts.addressesOf(LOCAL).length,
      detectors: true,
      load,
      terminals: surfacesOn(this.#model, LOCAL).length,
      identity: null,
      refused: null,
    };
  }

  #infoOf(record: HostRecord): Info {
    const here = this.#hosts.presence(record.id);
    return {
      host: record.id,
      state: record.state,
      since: record.since,
      draining: record.draining,
      last_contact_at: this.#hosts.lastContactAt(record),
      labels: [...record.labels],
      version: here?.version ?? null,
      platform: here?.platform ?? null,
      pty_hosts: record.ptyHosts,
      detectors: record.detectors,
      load: here?.load ?? null,
      terminals: surfacesOn(this.#model, record.id).length,
      identity: record.identity,
      refused: record.refused,
    };
  }
}
