import type { Bus } from '@switchyard/bus';
import type { BusEvent, Result } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { adoptTerminals } from './domain/creating.js';
import type { ExitInfo, Id, SurfaceRecord } from './domain/entities.js';
import { isOn, LOCAL } from './domain/hosts.js';
import { type FoundPort, noteTelemetry } from './domain/telemetry.js';
import { setProcessTitle } from './domain/titles.js';
import type { Endings } from './endings.js';
import { type Exits, STOP_MARGIN_MS } from './exits.js';
import { type Hosts, hostOf } from './hosts.js';
import { type Openings, unknownExit } from './openings.js';
import type { Revivals } from './revivals.js';
import type { Terminals } from './terminals.js';
import type { YardState } from './yard-state.js';

type Status = Result<'terminal.list'>['terminals'][number];

type TerminalEvent = 'terminal.exited' | 'terminal.title_changed' | 'terminal.cwd_changed' | 'terminal.ports_changed';

export interface SyncParts {
  readonly bus: Bus;
  readonly state: YardState;
  readonly terminals: Terminals;
  readonly openings: Openings;
  readonly exits: Exits;
  readonly endings: Endings;
  readonly revivals: Revivals;
  readonly log: Log;
  readonly hosts: Hosts;
}

/**
 * Keeps the model in step with the terminals: by events while all goes well, and by comparing with the whole list
 * whenever events may have been missed.
 */
export class Sync {
  readonly #parts: SyncParts;
  readonly #stoppedAt: number | null;
  readonly #startedAt: number;
  readonly #running = new Map<string, { again: boolean }>();
  readonly #unsubscribe: (() => void)[] = [];
  #stopped = false;

  /** @param stoppedAt when the service last stopped in order, if it did */
  constructor(parts: SyncParts, stoppedAt: number | null) {
    this.#parts = parts;
    this.#stoppedAt = stoppedAt;
    this.#startedAt = parts.state.model.now();
  }

  /** Begins to listen and compares with every pty-host that is there; the others are when they get ready. */
  start(): void {
    const { bus, hosts, terminals } = this.#parts;
    this.#unsubscribe.push(
      this.#hear('terminal.exited', ({ surface_id, exit }) => this.#ended(surface_id, exit)),
      this.#hear('terminal.title_changed', ({ surface_id, title }) => this.#titled(surface_id, title)),
      this.#hear('terminal.cwd_changed', ({ surface_id, cwd }) => this.#moved(surface_id, cwd)),
      this.#hear('terminal.ports_changed', ({ surface_id, ports }) => this.#listens(surface_id, ports)),
      bus.subscribe('service.ready', ({ service, address }) => {
        if (service === 'pty-host' && hosts.addresses().includes(address)) this.compare(address);
      }),
      bus.onReconnect(() => this.compareAll()),
    );
    hosts.onChange((_host, addresses, here) => {
      for (const address of addresses) {
        if (here) this.compare(address);
        else terminals.markAway(address);
      }
    });
    this.compareAll();
  }

  compareAll(): void {
    for (const address of this.#parts.hosts.addresses()) this.compare(address);
  }

  /** A machine is heard on its own surfaces only. */
  #hear<E extends TerminalEvent>(event: E, fn: (data: BusEvent<E>) => void): () => void {
    const { bus, state } = this.#parts;
    return bus.subscribe(event, (data, from) => {
      if (isOn(state.model, data.surface_id, from)) fn(data);
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const end of this.#unsubscribe.reverse()) end();
  }

  /** Compares the model with one pty-host. While it does, further wishes are merged into one more round. */
  compare(address: string): void {
    const running = this.#running.get(address);
    if (running) {
      running.again = true;
      return;
    }
    const round = { again: false };
    this.#running.set(address, round);
    void this.#compareOnce(address).finally(() => {
      this.#running.delete(address);
      if (round.again && !this.#stopped) this.compare(address);
    });
  }

  async #compareOnce(address: string): Promise<void> {
    const { terminals, endings, hosts, log } = this.#parts;
    const expected = this.#expectedAt(address);
    try {
      const found = await terminals.list(address);
      if (this.#stopped) return;
      this.#reconcile(address, expected, new Map(found.map((status) => [status.surface_id, status])));
      terminals.markReady(address);
      hosts.noteKnown(address);
      endings.tend();
    } catch (error) {
      // It is not there (yet); it will say when it is ready.
      log.info({ err: error, address }, 'the terminals of a pty-host could not be listed');
    }
  }

  /** The surfaces that should have a terminal there, before the list is asked for: later ones may be missing in it. */
  #expectedAt(address: string): readonly Id[] {
    const { state, terminals } = this.#parts;
    return [...state.model.surfaces.values()]
      .filter(({ type, exit, id }) => type === 'terminal' && exit === null && !terminals.isOpening(id))
      .filter((surface) => terminals.addressOf(surface) === address)
      .map(({ id }) => id);
  }

  #reconcile(address: string, expected: readonly Id[], found: ReadonlyMap<Id, Status>): void {
    for (const id of expected) {
      const surface = this.#parts.state.model.surfaces.get(id);
      if (!surface || surface.exit !== null) continue;
      const status = found.get(id);
      if (!status) this.#lost(surface, null);
      else if (status.exit === null) this.#alive(surface, status);
      else this.#ended(id, status.exit);
    }
    this.#reconcileClosed(address, found);
    this.#adopt(
      hostOf(address),
      [...found.values()].filter(({ surface_id: id }) => !this.#isKnown(id)),
    );
    void this.#parts.terminals.fit([...this.#parts.state.model.workspaces.values()].map(({ id }) => id));
  }

  #reconcileClosed(address: string, found: ReadonlyMap<Id, Status>): void {
    const { state, terminals, endings } = this.#parts;
    for (const record of [...state.model.closed.values()]) {
      if (record.surface.type !== 'terminal' || terminals.addressOf(record.surface) !== address) continue;
      const status = found.get(record.id);
      // A start that was given up came to pass after the end: it is ended again.
      if (record.phase === 'gone' && status?.exit === null) {
        state.change((model) => model.closed.put({ ...record, phase: 'ending' }));
      }
      if (record.phase !== 'staged') continue;
      if (status?.exit === null) terminals.noteRunning(record.id, status, status);
      else endings.exited(record, status?.exit ?? unknownExit(state.model.now()));
    }
  }

  #isKnown(id: Id): boolean {
    const { model } = this.#parts.state;
    return model.surfaces.has(id) || model.closed.has(id);
  }

  /** The database was lost, or its last writes were: what runs becomes visible again, what has ended is removed. */
  #adopt(host: string, strangers: readonly Status[]): void {
    const { state, terminals, openings, log } = this.#parts;
    const running = strangers.filter(({ exit }) => exit === null);
    for (const { surface_id: id, exit } of strangers) if (exit !== null) void terminals.forget({ id, host });
    const windowId = state.model.yard.activeWindowId;
    if (running.length === 0 || windowId === null) return;
    log.warn(
      { surface_ids: running.map((one) => one.surface_id) },
      'terminals without a surface were found and adopted',
    );
    state.change((model) => {
      const adopted = running.map((one) => {
        const { launch } = openings.shell();
        return { id: one.surface_id, host, launch: { ...launch, cwd: one.cwd ?? launch.cwd } };
      });
      adoptTerminals(model, windowId, adopted);
    });
    for (const status of running) this.#alive(state.model.surface(status.surface_id), status);
  }

  #alive(surface: SurfaceRecord, status: Status): void {
    const { state, terminals } = this.#parts;
    terminals.noteRunning(surface.id, { pid: status.pid, tty: status.tty }, { cols: status.cols, rows: status.rows });
    state.change((model) => {
      setProcessTitle(model, surface, status.title);
      const { cwd } = model.surface(surface.id);
      if (status.cwd !== null && status.cwd !== cwd) model.patchSurface(surface.id, { cwd: status.cwd });
      if (status.ports !== null) noteTelemetry(model, surface.id, { foundPorts: status.ports });
    });
  }

  #lost(surface: SurfaceRecord, exit: ExitInfo | null): void {
    this.#parts.terminals.noteEnded(surface.id);
    this.#parts.revivals.lost(surface, exit);
  }

  /** Told by an event or found in a list; a pty-host that starts tells old exits again once it has read so far. */
  #ended(id: Id, exit: ExitInfo): void {
    const surface = this.#parts.state.model.surfaces.get(id);
    if (!surface || !this.#isYardsDoing(surface, exit)) this.#exited(id, exit);
    else if (surface.exit === null && exit.at >= surface.startedAt) this.#lost(surface, exit);
  }

  #isYardsDoing({ host }: SurfaceRecord, exit: ExitInfo): boolean {
    if (exit.reason === 'lost') return true;
    // Other machines run on while the yard is down: what ends there ends by itself.
    if (host !== LOCAL || this.#stoppedAt === null) return false;
    return exit.at >= this.#stoppedAt - STOP_MARGIN_MS && exit.at <= this.#startedAt;
  }

  #exited(id: Id, exit: ExitInfo): void {
    this.#parts.exits.exited(id, exit).catch((error: unknown) => {
      this.#parts.log.error({ err: error, surface_id: id }, 'the exit of a program could not be taken over');
    });
  }

  #titled(id: Id, title: string): void {
    const surface = this.#parts.state.model.surfaces.get(id);
    if (surface) this.#parts.state.change((model) => setProcessTitle(model, surface, title));
  }

  #listens(id: Id, foundPorts: readonly FoundPort[]): void {
    const { state } = this.#parts;
    if (state.model.surfaces.has(id)) state.change((model) => noteTelemetry(model, id, { foundPorts }));
  }

  #moved(id: Id, cwd: string): void {
    const { state } = this.#parts;
    const surface = state.model.surfaces.get(id);
    if (surface && surface.cwd !== cwd) state.change((model) => model.patchSurface(id, { cwd }));
  }
}
