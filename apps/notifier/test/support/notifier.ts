import { join } from 'node:path';
import type { Settings } from '@switchyard/config';
import { parseSettings } from '@switchyard/config/load';
import { type JournalEvent, type JournalKind, type Result, SwitchyardError } from '@switchyard/protocol';
import { type Answers, type FakeBus, fakeBus, type TempDir, tempDir } from '@switchyard/testing';
import { build } from '../../src/notifier.js';

type Place = Result<'notification.place'>;
type Told = {
  key: string;
  kind: string;
  surface_id?: string | null;
  workspace_id?: string | null;
  data: Record<string, unknown>;
};

export const W = { window_id: 'WIN', window_ref: 'window:1', workspace_id: 'WS', workspace_ref: 'workspace:1' };
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };

/** The notifier on a bus in memory, with a tree of two surfaces and a journal; both can be changed. */
export class TestNotifier {
  readonly dir: TempDir = tempDir('sy-notify');
  readonly surfaces = new Map<string, Partial<Place>>([
    ['S1', {}],
    ['S2', {}],
  ]);
  front = 'S1';
  override: boolean | null = null;
  journal: JournalEvent[] = [];
  /** What was handed in to the journal, each key once. */
  readonly told: Told[] = [];
  flashes = 0;
  bus: FakeBus = fakeBus();
  #app: ReturnType<typeof build> | undefined;
  #settings: Partial<Settings['notifications']> = {};

  async start(settings = this.#settings, answers: Answers = {}): Promise<void> {
    this.#settings = settings;
    this.bus = fakeBus({ ...this.#answers(), ...answers });
    const defaults = parseSettings('', 'config.toml');
    const env = {
      address: '_',
      paths: { stateDir: join(this.dir.path, 'state'), yard: 'test' },
      settings: { ...defaults, notifications: { ...defaults.notifications, ...settings } },
    };
    this.#app = build({ bus: this.bus, log: quiet, env } as never);
    await this.#app.start();
  }

  async stop(): Promise<void> {
    await this.#app?.stop();
    this.#app = undefined;
  }

  async restart(settings = this.#settings): Promise<void> {
    await this.stop();
    await this.start(settings);
  }

  async end(): Promise<void> {
    await this.stop();
    this.dir.remove();
  }

  async list() {
    return (await this.bus.call('notification.list', {})).notifications;
  }

  async deliveries() {
    return (await this.bus.call('notification.deliveries', {})).deliveries;
  }

  kinds(): string[] {
    return this.told.map(({ kind }) => kind);
  }

  /** Something happens in the yard. @param at Unix milliseconds */
  happens(kind: JournalKind, surface_id: string, data: object, at = Date.now()): void {
    const event = { seq: this.journal.length + 1, at, kind, surface_id, workspace_id: 'WS', data } as JournalEvent;
    this.journal.push(event);
    this.bus.emit('journal.appended', { journal: 'J', first: event.seq, last: event.seq, events: [event] });
  }

  /** The agent of a surface is in a state, since long. */
  agent(surfaceId: string, state: string | null, question: object | null = null): void {
    const facts = {
      agent: 'claude-code',
      state,
      source: 'hooks',
      activity: 'unknown',
      question,
      since: 0,
      failed: false,
    };
    this.happens('agent.state_changed', surfaceId, { ...facts, previous: { state: null, source: null } });
  }

  #answers(): Answers {
    return {
      'notification.place': ({ surface_id = this.front, workspace_id = 'WS' }) => {
        const id = surface_id
          .trim()
          .toUpperCase()
          .replace(/^(SURFACE|TAB):/, 'S');
        const facts = this.surfaces.get(id);
        if (facts === undefined || workspace_id.toUpperCase() !== 'WS')
          throw new SwitchyardError('not_found', 'Surface not found');
        const named = {
          surface_id: id,
          host: 'local',
          surface_ref: `surface:${id.slice(1)}`,
          surface_title: `title ${id}`,
        };
        const agent = { agent: null, has_agent_state: false, custom_title: null };
        const focus = { front: id === this.front, override: this.override };
        return { ...W, ...named, workspace_title: 'api', ...agent, ...focus, ...facts };
      },
      'workspace.current': () => ({ ...W, workspace: {} as never }),
      'surface.trigger_flash': ({ surface_id = '' }) => {
        this.flashes++;
        return { ...W, surface_id, surface_ref: '' };
      },
      'system.tree': () => {
        const panes = [{ surface_ids: [...this.surfaces.keys()] }];
        return { windows: [{ workspaces: [{ id: 'WS', panes }] }], active: null, caller: null } as never;
      },
      'journal.read': ({ after, limit }) => {
        const events = this.journal.slice(after, after + limit);
        return { journal: 'J', events, last: this.journal.length };
      },
      'journal.append': ({ events }) => {
        const fresh = events.filter(({ key }) => !this.told.some((one) => one.key === key));
        this.told.push(...(fresh as Told[]));
        return { appended: fresh.length };
      },
    };
  }
}
