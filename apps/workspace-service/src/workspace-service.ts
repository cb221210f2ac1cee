import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Bus, Served } from '@switchyard/bus';
import { Integrations } from '@switchyard/integrations';
import type { App, Log, ServiceKit } from '@switchyard/service';
import { storageFault } from '@switchyard/store/fault';
import { type Database, openDatabase, storageGauges } from '@switchyard/store/sqlite';
import { Agents } from './agents.js';
import { Announcer } from './announcer.js';
import { AppFocus } from './app-focus.js';
import { cliPrograms, makeCliFolder } from './cli-folder.js';
import { type Config, configOf } from './config.js';
import { Model } from './domain/model.js';
import { Endings } from './endings.js';
import { Exits } from './exits.js';
import { Flashes } from './flashes.js';
import { GitLink } from './git-link.js';
import { allHandlers } from './handlers/index.js';
import { HostDirectory } from './host-directory.js';
import { Hosts } from './hosts.js';
import { InputLocks } from './input-locks.js';
import { Journal, type KeyedNote } from './journal.js';
import { LayoutFiles, layoutFolders } from './layout-files.js';
import { Openings } from './openings.js';
import { PromptBook } from './prompt-book.js';
import { Prompts } from './prompts.js';
import { withRulesReloaded } from './reload.js';
import { Restores } from './restores.js';
import { Revivals } from './revivals.js';
import type { Services } from './services.js';
import { SnapshotFiles } from './snapshot-files.js';
import { Snapshots } from './snapshots.js';
import { restoreAtStart } from './start-restore.js';
import { StorageDiary } from './storage-diary.js';
import { JournalStore } from './store/journal-store.js';
import { MIGRATIONS, ModelStore } from './store/model-store.js';
import { Sync } from './sync.js';
import { Terminals } from './terminals.js';
import { TypedCommands } from './typed-commands.js';
import { ownVersion } from './version.js';
import { Waits } from './waits.js';
import { YardDiary } from './yard-diary.js';
import { YardState } from './yard-state.js';

const DATABASE = 'workspace-service.db';
const SNAPSHOTS = 'snapshots';
const LAST_RESTORE = 'last-restore.json';

type Env = Readonly<Record<string, string | undefined>>;

/** Owns windows, workspaces, panes and surfaces. State in `<stateDir>/workspace-service.db`. */
export function build({ bus, env, log }: ServiceKit, userEnv: Env = process.env): App {
  let running: Running | undefined;
  return {
    start: async () => {
      const config = configOf(env, userEnv, makeCliFolder(env.paths.runtimeDir), ownVersion());
      const storage = new StorageDiary({ path: env.paths.stateDir, now: Date.now, log });
      const db = openState(join(env.paths.stateDir, DATABASE), log, storage);
      running = new Running(bus, log, db, config, userEnv);
      storage.follow(running);
      await running.start(env.address);
    },
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
  };
}

function openState(path: string, log: Log, storage: StorageDiary): Database {
  const onSetAside = (event: object) => log.error(event, 'the model could not be read: set aside, begun anew');
  return openDatabase(path, { migrations: MIGRATIONS, onSetAside, onFault: (fault) => storage.changed(fault) });
}

/** The parts of the service, wired. */
class Running {
  readonly #bus: Bus;
  readonly #db: Database;
  readonly #store: ModelStore;
  readonly #diary: YardDiary;
  readonly #services: Services;
  readonly #exits: Exits;
  readonly #sync: Sync;
  readonly #git: GitLink;
  readonly #databaseLost: boolean;
  #config: Config;
  #served: Served | undefined;

  constructor(bus: Bus, log: Log, db: Database, initial: Config, userEnv: Env) {
    const store = new ModelStore(db);
    this.#bus = bus;
    this.#db = db;
    this.#store = store;
    this.#databaseLost = db.setAside !== undefined;
    this.#config = initial;
    const model = new Model({ newId: () => randomUUID().toUpperCase(), now: () => Date.now() });
    store.load(model);
    const config = () => this.#config;
    const journal = new Journal({ store: new JournalStore(db), bus, now: () => model.now(), log });
    this.#diary = new YardDiary(bus, journal);
    const state = new YardState(model, store, journal);
    const { home, host, shards } = initial;
    const clock = () => performance.now();
    const hosts = new Hosts({ state, localShards: shards, version: initial.facts.version, clock, log });
    const terminals = new Terminals(bus, model, hosts, config, log);
    const waits = new Waits();
    const announcer = new Announcer(bus, model);
    const flashes = new Flashes();
    const agents = new Agents({ state, announcer, log });
    const book = new PromptBook(state, agents, log);
    const locks = new InputLocks();
    const prompts = new Prompts({ bus, book, agents, terminals, locks, now: () => model.now() });
    const closeUndoMs = () => this.#config.rules.closeUndoMs;
    const endings = new Endings({ state, terminals, waits, announcer, flashes, agents, closeUndoMs, log });
    const integrations = new Integrations({ env: userEnv, home, programs: cliPrograms() });
    const layouts = new LayoutFiles(() => layoutFolders(this.#config));
    const commands = new TypedCommands({ state, terminals, locks, log });
    const snapshotFiles = new SnapshotFiles(join(initial.stateDir, SNAPSHOTS));
    const restorePath = join(initial.stateDir, LAST_RESTORE);
    const restores = new Restores({ state, terminals, path: restorePath, addresses: hosts.addressesOf(host), log });
    const snapshots = new Snapshots({ state, files: snapshotFiles, restores, agents, terminals, log });
    state.onTreeChange(() => snapshots.noteChange());
    const openings = new Openings({ state, terminals, endings, announcer, agents, restores, home, host, log });
    const policy = () => this.#config.rules.restore;
    const revivals = new Revivals({ state, openings, terminals, commands, policy });
    const reloadConfig = async () => {
      this.#config = await withRulesReloaded(this.#config, userEnv);
    };
    this.#services = {
      bus,
      log,
      model,
      state,
      journal,
      terminals,
      hosts,
      directory: new HostDirectory(hosts, model, initial.facts.version),
      openings,
      endings,
      waits,
      announcer,
      flashes,
      appFocus: new AppFocus(),
      agents,
      locks,
      book,
      prompts,
      integrations,
      layouts,
      commands,
      snapshots,
      snapshotFiles,
      restores,
      revivals,
      config,
      reloadConfig,
    };
    this.#exits = new Exits({ state, terminals, openings, endings, announcer, agents, restores });
    const parts = { bus, state, terminals, openings, exits: this.#exits, endings, revivals, log, hosts };
    this.#sync = new Sync(parts, model.yard.stoppedAt);
    this.#git = new GitLink({ bus, state, host, log });
  }

  async start(address: string): Promise<void> {
    const { state, openings, endings, book, commands, restores, revivals } = this.#services;
    const again = await restoreAtStart(this.#services, this.#databaseLost);
    book.settleAfterRestart();
    state.change((model) => {
      if (model.yard.stoppedAt !== null) model.patchYard({ stoppedAt: null });
      // Its shell is started by the first comparison with the pty-host, like that of every surface without one.
      openings.ensureYard(model);
    });
    endings.tend();
    this.#services.hosts.start();
    this.#diary.start();
    this.#served = await this.#bus.serve('workspace-service', address, allHandlers(this.#services), () =>
      this.#gauges(),
    );
    this.#sync.start();
    this.#git.start();
    for (const id of again) revivals.lost(state.model.surface(id), null);
    commands.resume();
    restores.confirmInBackground();
  }

  /** The disk takes changes again: what could not be taken over meanwhile is found by a comparison. */
  recovered(notes: readonly KeyedNote[]): void {
    this.#services.journal.append(notes);
    this.#sync.compareAll();
  }

  #gauges(): Readonly<Record<string, number>> {
    const { journal, model } = this.#services;
    const { windows, workspaces, panes, surfaces } = model;
    return {
      journal_events: journal.last - journal.first + 1,
      journal_bytes: journal.bytes,
      journal_last: journal.last,
      windows: windows.size,
      workspaces: workspaces.size,
      panes: panes.size,
      surfaces: surfaces.size,
      ...storageGauges(this.#db),
    };
  }

  /** Exits that are seen from now on are the yard's doing and leave the model as it is. */
  async stop(): Promise<void> {
    const { endings, openings, agents, prompts, commands, restores, snapshots } = this.#services;
    this.#diary.stop();
    this.#exits.stop();
    openings.stop();
    commands.stop();
    restores.stop();
    snapshots.stop();
    this.#sync.stop();
    this.#services.hosts.stop();
    this.#git.stop();
    await this.#served?.stop();
    prompts.stop();
    agents.stop();
    endings.stop();
    await snapshots.atStop();
    this.#noteStop();
    this.#services.journal.stop();
    this.#store.close();
  }

  /** A full disk keeps nobody from stopping: the next start then takes what has ended for ends of their own. */
  #noteStop(): void {
    try {
      this.#services.state.change((model) => model.patchYard({ stoppedAt: model.now() }));
    } catch (error) {
      if (storageFault(error) === undefined) throw error;
      this.#services.log.error({ err: error }, 'the stop could not be written down: the disk takes nothing');
    }
  }
}
