import { BUS_PROTOCOL } from '@switchyard/bus';
import { shardOf } from '@switchyard/config';
import { fail, type Params, type Result, SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { SurfaceRecord } from './domain/entities.js';
import {
  type HostRecord,
  hostNamed,
  LOCAL,
  noteHost,
  type Presence,
  patchHost,
  refusalOf,
  stateWhenHere,
} from './domain/hosts.js';
import type { YardState } from './yard-state.js';

/** How often a machine says that it is there: one small call, and a cut link is noticed while a person still waits. */
const AGAIN_MS = 2000;
/** Two calls may be lost or late before a machine counts as gone. */
const SILENCE_MS = 3 * AGAIN_MS;
/** Runs of a machine's supervisor that were followed by another: so many are remembered. */
const DISPLACED_KEPT = 16;

export interface HostsParts {
  readonly state: YardState;
  /** pty-hosts of the yard's own machine. */
  readonly localShards: number;
  readonly version: string;
  /** Milliseconds that only rise: a clock that is set must not make a machine unreachable. */
  readonly clock: () => number;
  readonly log: Log;
}

interface Here extends Presence {
  heardAt: number;
  /** Addresses whose terminals have been compared with the model. */
  readonly known: Set<string>;
  /** Runs that were here before it. One that comes back lives at the same time. */
  readonly displaced: readonly string[];
}

/** Knows which machines the yard has, and which of them are there. */
export class Hosts {
  readonly #parts: HostsParts;
  readonly #here = new Map<string, Here>();
  readonly #listeners = new Set<(host: string, addresses: readonly string[], here: boolean) => void>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #startTimer: NodeJS.Timeout | undefined;

  constructor(parts: HostsParts) {
    this.#parts = parts;
  }

  /** Whoever was there before the service began anew has some time to say so again. */
  start(): void {
    const { state } = this.#parts;
    const coming = [...state.model.hosts.values()].filter(
      (host) => host.state === 'online' || host.state === 'draining',
    );
    if (coming.length === 0) return;
    state.change((model) => {
      for (const { id } of coming) patchHost(model, id, { state: 'connecting' });
    });
    this.#startTimer = setTimeout(() => this.#missAll(coming.map(({ id }) => id)), SILENCE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#startTimer);
  }

  /** `fn` hears that a machine is there (again), or that it is not. */
  onChange(fn: (host: string, addresses: readonly string[], here: boolean) => void): void {
    this.#listeners.add(fn);
  }

  /** @throws `not_found`, `host_identity_changed`, `host_name_taken`, `version_mismatch` */
  present(name: string, said: Params<'host.present'>): Result<'host.present'> {
    const { state } = this.#parts;
    const record = hostNamed(state.model, name);
    this.#checkComer(record, said);
    const here = this.#here.get(name);
    const { identity, instance, version, platform, home, shell, env, load } = said;
    const isNew = here?.instance !== instance || record.ptyHosts !== said.pty_hosts;
    const known = isNew ? new Set<string>() : here.known;
    const displaced = here === undefined || here.instance === instance ? (here?.displaced ?? []) : displacedBy(here);
    const heardAt = this.#parts.clock();
    const presence = { identity, instance, version, platform, home, shell, env, load };
    this.#here.set(name, { ...presence, heardAt, known, displaced });
    const isKnown = known.size >= said.pty_hosts;
    const next = stateWhenHere(record, isKnown);
    const was = record.state;
    if (isNew || next !== was || record.identity !== identity) {
      const ptyHosts = said.pty_hosts;
      state.change((model) =>
        patchHost(model, name, { state: next, identity, ptyHosts, refused: null, lastContactAt: model.now() }),
      );
    }
    if (isNew || was === 'unreachable') this.#tell(name, true);
    this.#arm();
    return { again_in_ms: AGAIN_MS };
  }

  leave(name: string, instance: string): void {
    if (this.#here.get(name)?.instance === instance) this.#lose(name);
  }

  /** The terminals at an address have been compared with the model. */
  noteKnown(address: string): void {
    const name = hostOf(address);
    const here = this.#here.get(name);
    const record = this.#parts.state.model.hosts.get(name);
    if (here === undefined || record === undefined) return;
    here.known.add(address);
    const next = stateWhenHere(record, here.known.size >= record.ptyHosts);
    if (next !== record.state) this.#parts.state.change((model) => patchHost(model, name, { state: next }));
  }

  /** Of all pty-hosts there should be. */
  addresses(): string[] {
    const hosts = [...this.#parts.state.model.hosts.values()];
    return [...this.addressesOf(LOCAL), ...hosts.flatMap(({ id }) => this.addressesOf(id))];
  }

  addressesOf(host: string): string[] {
    return Array.from({ length: this.#shardsOf(host) }, (_, shard) => `${host}-${shard}`);
  }

  addressOf({ id, host }: Pick<SurfaceRecord, 'id' | 'host'>): string {
    return `${host}-${shardOf(id, this.#shardsOf(host))}`;
  }

  /** @throws `host_unreachable` at once for a machine that is away */
  check(host: string): void {
    if (host === LOCAL || this.#here.has(host)) return;
    const record = this.#parts.state.model.hosts.get(host);
    // After a start of the service it may be about to say so.
    if (record?.state !== 'connecting' || record.lastContactAt === null) throw this.unreachable(host);
  }

  unreachable(host: string): SwitchyardError {
    const at = this.#parts.state.model.hosts.get(host)?.lastContactAt ?? null;
    const when = at === null ? 'It has never been here' : `Last contact: ${new Date(at).toISOString()}`;
    return new SwitchyardError('host_unreachable', `The host ${host} is not reachable. ${when}.`, {
      host,
      last_contact_at: at,
    });
  }

  /** Unix milliseconds; null: it has never been here. */
  lastContactAt({ id, lastContactAt }: HostRecord): number | null {
    const here = this.#here.get(id);
    if (here === undefined) return lastContactAt;
    return Math.round(this.#parts.state.model.now() - (this.#parts.clock() - here.heardAt));
  }

  /** What a machine said of itself; undefined while it is away. */
  presence(host: string): Presence | undefined {
    return this.#here.get(host);
  }

  /** Whoever was there is cut off; the next machine is taken for it. */
  renew(name: string): void {
    this.#lose(name);
    this.#parts.state.change((model) => patchHost(model, name, { identity: null, refused: null }));
  }

  /** Forgets a machine. */
  drop(name: string): void {
    this.#lose(name);
    this.#parts.state.change((model) => {
      noteHost(model, hostNamed(model, name), 'removed');
      model.hosts.remove(name);
      // Nobody will tell how what was closed there ended.
      for (const record of [...model.closed.values()]) {
        if (record.surface.host === name && record.phase !== 'gone') model.closed.put({ ...record, phase: 'gone' });
      }
    });
  }

  #checkComer(record: HostRecord, said: Params<'host.present'>): void {
    if (said.bus_protocol !== BUS_PROTOCOL) {
      const facts = { yours: said.bus_protocol, ours: BUS_PROTOCOL, version: this.#parts.version };
      fail(
        'version_mismatch',
        `The yard speaks another form of the bus: it is Switchyard ${this.#parts.version}`,
        facts,
      );
    }
    const here = this.#here.get(record.id);
    const isBack = here?.displaced.includes(said.instance) === true;
    const code = isBack ? 'host_name_taken' : refusalOf(record, said, here);
    if (code === null) return;
    this.#parts.log.warn({ host: record.id, code }, 'a machine was not let in');
    this.#parts.state.change((model) => {
      const at = model.now();
      patchHost(model, record.id, { refused: { identity: said.identity, code, at } });
      if (record.refused?.identity === said.identity) return;
      model.note({ kind: 'host.refused', workspace_id: null, surface_id: null, data: { host: record.id, code } });
    });
    const text = code === 'host_name_taken' ? 'is online on another machine' : 'was another machine until now';
    fail(code, `The host ${record.id} ${text}`, { host: record.id });
  }

  #shardsOf(host: string): number {
    return host === LOCAL ? this.#parts.localShards : (this.#parts.state.model.hosts.get(host)?.ptyHosts ?? 1);
  }

  #lose(name: string): void {
    const here = this.#here.get(name);
    if (here === undefined) return;
    const silent = this.#parts.clock() - here.heardAt;
    this.#here.delete(name);
    this.#parts.state.change((model) => {
      const { state } = hostNamed(model, name);
      const next = state === 'retired' ? 'retired' : 'unreachable';
      patchHost(model, name, { state: next, lastContactAt: Math.round(model.now() - silent) });
    });
    this.#parts.log.warn({ host: name }, 'a machine of the yard is out of reach');
    this.#tell(name, false);
  }

  /** Of those that were there before the service began anew, the ones that have not come back. */
  #missAll(names: readonly string[]): void {
    const missing = names.filter((name) => !this.#here.has(name));
    this.#parts.state.change((model) => {
      for (const name of missing) if (model.hosts.has(name)) patchHost(model, name, { state: 'unreachable' });
    });
    for (const name of missing) this.#tell(name, false);
  }

  /** One timer for all: it ends when the one that was silent longest is given up. */
  #arm(): void {
    clearTimeout(this.#timer);
    const [first] = [...this.#here.values()].map(({ heardAt }) => heardAt).sort((a, b) => a - b);
    if (first === undefined) return;
    this.#dueAt = first + SILENCE_MS;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(0, this.#dueAt - this.#parts.clock()));
  }

  #giveUp(): void {
    const now = this.#parts.clock();
    // We were suspended ourselves: what machines have said meanwhile waits to be read.
    if (now - this.#dueAt > AGAIN_MS) {
      for (const here of this.#here.values()) here.heardAt = Math.max(here.heardAt, now - SILENCE_MS + AGAIN_MS);
    }
    const late = now - SILENCE_MS;
    for (const [name, { heardAt }] of [...this.#here]) if (heardAt <= late) this.#lose(name);
    this.#arm();
  }

  #tell(host: string, here: boolean): void {
    for (const fn of this.#listeners) fn(host, this.addressesOf(host), here);
  }
}

const displacedBy = ({ displaced, instance }: Here) => [...displaced, instance].slice(-DISPLACED_KEPT);

/** @returns the machine of a pty-host */
export const hostOf = (address: string): string => address.slice(0, address.lastIndexOf('-'));
