import type { Bus } from '@switchyard/bus';
import type { BusEvent, JournalEvent } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Desk } from '../desk.js';
import { agentNotice } from '../domain/agent-notice.js';
import { changed, due, exited, type Step } from '../domain/agent-turns.js';
import { placeOfSurface, placeOfWorkspace } from './places.js';

/** A page of the journal; a read costs a round trip, so it is worth some. */
const PAGE = 500;
/** While workspace-service is away; it is also asked when it says that it is back. */
const RETRY_MS = 1000;
/** The place in the journal is written down this often, when nothing of it was of use. */
const PLACE_EVERY = 500;
/** The largest delay a timer of Node takes. */
const LONGEST_TIMER_MS = 2_147_483_647;
const USED: ReadonlySet<string> = new Set(['agent.state_changed', 'surface.exited', 'surface.closed', 'surface.moved']);

interface Position {
  readonly journal: string;
  readonly seq: number;
}

/**
 * Reads in the journal what agents do, and makes notifications of it. How far it has read, what it knows of each agent and
 * what it is about to tell are on disk in one step: over a kill nothing is left out or told twice.
 */
export class AgentWatch {
  readonly #bus: Pick<Bus, 'call' | 'subscribe' | 'onReconnect'>;
  readonly #desk: Desk;
  readonly #log: Log;
  #ends: (() => void)[] = [];
  #at: Position | undefined;
  #working: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bus: Pick<Bus, 'call' | 'subscribe' | 'onReconnect'>, desk: Desk, log: Log) {
    this.#bus = bus;
    this.#desk = desk;
    this.#log = log;
  }

  start(): void {
    this.#at = this.#desk.sources.position();
    this.#ends = [
      this.#bus.subscribe('journal.appended', (mark) => this.#marked(mark)),
      this.#bus.subscribe('service.ready', ({ service }) => service === 'workspace-service' && this.wake()),
      this.#bus.onReconnect(() => this.wake()),
    ];
    this.wake();
  }

  /** There may be something to read or to tell. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#again) this.wake();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#again = false;
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
    await this.#working;
  }

  /** What a mark carries needs not be asked for, if it follows what was read. */
  #marked({ journal, first, events }: BusEvent<'journal.appended'>): void {
    const at = this.#at;
    const follows = this.#working === undefined && at?.journal === journal && at.seq + 1 === first;
    if (follows && events !== undefined && !events.some(({ kind }) => USED.has(kind))) this.#take(journal, events);
    else this.wake();
  }

  async #work(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        await this.#readOn();
        await this.#tellDue();
      }
      this.#armAt(Math.min(...this.#desk.sources.dues().map(({ dueAt }) => dueAt)));
    } catch (err) {
      this.#log.info({ err }, 'the journal cannot be read now; trying again');
      this.#again = false;
      this.#armAt(this.#desk.now() + RETRY_MS);
    }
  }

  #armAt(at: number): void {
    if (this.#stopped || !Number.isFinite(at)) return;
    const wait = Math.min(Math.max(at - this.#desk.now(), 0), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.wake(), wait);
    this.#timer.unref();
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const after = this.#at?.seq ?? 0;
      const page = await this.#bus.call('journal.read', { after, limit: this.#at === undefined ? 1 : PAGE });
      if (this.#at === undefined) {
        // What was before us was told by nobody and is no news.
        this.#goTo({ journal: page.journal, seq: page.last });
      } else if (page.journal !== this.#at.journal) {
        this.#log.warn({ journal: page.journal }, 'the journal was begun anew');
        this.#goTo({ journal: page.journal, seq: 0 });
        continue;
      } else {
        if (page.gap !== undefined)
          this.#log.warn({ ...page.gap }, 'events have left the journal before they were read');
        if (page.gap !== undefined) this.#goTo({ journal: page.journal, seq: page.gap.to });
        this.#take(page.journal, page.events);
      }
      if (this.#stopped || (this.#at?.seq ?? 0) >= page.last) return;
    }
  }

  #goTo(at: Position): void {
    this.#desk.change(() => this.#desk.sources.setPosition(at.journal, at.seq));
    this.#at = at;
  }

  #take(journal: string, events: readonly JournalEvent[]): void {
    const last = events.at(-1)?.seq;
    if (last === undefined) return;
    const used = events.filter(({ kind }) => USED.has(kind));
    const { sources } = this.#desk;
    if (used.length > 0 || last - (sources.position()?.seq ?? 0) >= PLACE_EVERY) {
      this.#desk.change(() => {
        for (const event of used) this.#apply(event);
        sources.setPosition(journal, last);
      });
    }
    this.#at = { journal, seq: last };
  }

  #apply(event: JournalEvent): void {
    const { surface_id: surfaceId, workspace_id: workspaceId, at } = event;
    if (surfaceId === null) return;
    const { sources, items } = this.#desk;
    const turns = sources.turnsOf(surfaceId);
    switch (event.kind) {
      case 'agent.state_changed':
        this.#step(surfaceId, workspaceId, changed(turns, event.data, at));
        break;
      case 'surface.exited':
        this.#step(surfaceId, workspaceId, exited(turns, event.data.exit, at));
        break;
      case 'surface.closed':
        // The end of a program that took its surface with it is still to be told.
        if (turns.pending?.ended !== true) sources.forgetTurns(surfaceId);
        break;
      case 'surface.moved':
        if (workspaceId !== null) items.move(surfaceId, workspaceId);
        break;
    }
  }

  #step(surfaceId: string, workspaceId: string | null, { turns, settled }: Step): void {
    const { sources, items } = this.#desk;
    sources.setTurns(surfaceId, turns, workspaceId);
    const item = settled ? items.of(surfaceId) : undefined;
    if (item?.reason === 'agent_blocked') this.#desk.mark({ ids: [item.id], surfaceId }, true);
  }

  async #tellDue(): Promise<void> {
    const now = this.#desk.now();
    for (const { surfaceId, dueAt } of this.#desk.sources.dues()) {
      if (dueAt <= now && !this.#stopped) await this.#tell(surfaceId);
    }
  }

  async #tell(surfaceId: string): Promise<void> {
    const { sources } = this.#desk;
    const there = await placeOfSurface(this.#bus, surfaceId);
    const workspaceId = sources.workspaceOf(surfaceId);
    const place = there ?? (workspaceId === null ? undefined : await placeOfWorkspace(this.#bus, workspaceId));
    this.#desk.change(() => {
      const { turns, news } = due(sources.turnsOf(surfaceId), this.#desk.now());
      if (there === undefined) sources.forgetTurns(surfaceId);
      else sources.setTurns(surfaceId, turns, there.workspace_id);
      if (news === null || place === undefined) return;
      const isGone = there === undefined;
      const titled = isGone ? { ...place, surface_title: '' } : place;
      this.#desk.post({ place, isGone, reason: news.reason, agent: news.agent, notice: agentNotice(news, titled) });
    });
  }
}
