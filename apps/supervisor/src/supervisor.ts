import { join } from 'node:path';
import type { Log } from '@switchyard/bus';
import type { Settings, YardPaths } from '@switchyard/config';
import type { BusAddress } from '@switchyard/service/bus-file';
import { busAddressOf, type HostCredentials } from '@switchyard/service/host-credentials';
import { storageFault } from '@switchyard/store/fault';
import { ensureBusFile, findNatsServer } from './adapters/broker.js';
import { ControlSocket } from './adapters/control-socket.js';
import { ControlTrail } from './adapters/control-trail.js';
import { ownFacts, ownInstallation } from './adapters/installation.js';
import { writePrivateJson } from './adapters/json-file.js';
import { launcher, type ProgramFor } from './adapters/launch.js';
import { logFileOf, tryToRotate } from './adapters/log-file.js';
import { ensurePrivateDir, ensureStateDir } from './adapters/private-dir.js';
import { writeProcessTable } from './adapters/process-file.js';
import { yardPrograms } from './adapters/programs.js';
import { removeRuntimeDir, removeRuntimeFiles } from './adapters/runtime-files.js';
import { refuseLongSocketPath } from './adapters/socket-path.js';
import { readUpgrade, settleUpgrade } from './adapters/upgrade-file.js';
import { takeYardLock } from './adapters/yard-lock.js';
import { adoptLeft, type LeftRunning, leftRunning } from './adopt.js';
import { type BrokerChoice, brokerLabel, chooseBroker } from './domain/choose-broker.js';
import { canStandBy, planHostProcesses, planProcesses } from './domain/process-plan.js';
import { crashEvent, restartEvent } from './domain/service-events.js';
import type { Fleet } from './fleet/fleet.js';
import { fleetAbsent, openFleet } from './fleet/open-fleet.js';
import { readRoster } from './fleet/roster.js';
import { fleetHandlers } from './handlers/fleet.js';
import { observeHandlers } from './handlers/observe.js';
import { upgradeHandlers } from './handlers/upgrade.js';
import { type SupervisorHandlers, yardHandlers } from './handlers/yard.js';
import { ownIdentity } from './host/host-facts.js';
import { Membership, THE_YARD } from './host/membership.js';
import { serveMetrics } from './observe/metrics-server.js';
import { Observer } from './observe/observer.js';
import { ProcessSet } from './process-set.js';
import { replaceProcesses } from './replace-processes.js';
import { serveOnBus, type YardBus } from './serve-on-bus.js';
import type { YardOptions } from './yard-options.js';
import { type YardStatus, yardStatus } from './yard-status.js';

/** Logs are looked at this often, for processes that run for months. */
const SAVE_AGAIN_MS = 1000;
const LOG_CHECK_MS = 60 * 60_000;

export interface SupervisorConfig {
  readonly paths: YardPaths;
  readonly settings: Settings;
  readonly uid: number;
  readonly env: NodeJS.ProcessEnv;
  /** From which the yard was opened: its successor opens it from them. */
  readonly options?: YardOptions;
  /** This machine is part of another yard. */
  readonly join?: HostCredentials;
  /** In the place of an earlier supervisor of this process. */
  readonly resuming?: boolean;
}

export interface SupervisorDeps {
  /** Called once the folders exist. */
  readonly openLog: (logDir: string) => Log;
  /** Replaces the programs of the yard, for tests. */
  readonly programFor?: ProgramFor;
  /** Replaces the way onto the bus, for tests. */
  readonly onBus?: typeof serveOnBus;
}

export interface Supervisor {
  /**
   * Brings the yard up: takes over what runs, starts the rest.
   *
   * @returns names of processes that were not ready in time; the supervisor keeps trying with them
   * @throws YardRunningError, or an Error that says what keeps the yard from starting
   */
  start(): Promise<readonly string[]>;
  /** The first half of {@link start}: takes over what an earlier supervisor left, so that it can be stopped. */
  takeOver(): Promise<unknown>;
  /**
   * Replaces by programs of this installation whatever does not run from it, the keeper's first and the gateway's last.
   *
   * @throws Error at the first that fails: those before are replaced
   */
  replaceAll(progress: (step: string) => void): Promise<void>;
  /** Takes everything down, terminals last. A second call kills what is still ending. Resolves when all is gone. */
  stop(): Promise<void>;
  status(): YardStatus;
  /** Resolves when the yard has been stopped, by whomever. */
  readonly stopped: Promise<void>;
}

type Closer = () => void | Promise<void>;

/** What exists between start and stop. */
interface Running {
  readonly log: Log;
  readonly processes: ProcessSet;
  readonly broker: BrokerChoice;
  /** In the order in which they were opened. */
  readonly closers: Closer[];
  /** Left while there still is one. */
  onBus: YardBus | undefined;
  /** Of a machine that is part of another yard. */
  membership: Membership | undefined;
}

/** Who holds it supervises the yard. */
export function lockFileOf(paths: YardPaths): string {
  return join(paths.runtimeDir, 'supervisor.lock');
}

export function build(config: SupervisorConfig, deps: SupervisorDeps): Supervisor {
  return new YardSupervisor(config, deps);
}

class YardSupervisor implements Supervisor {
  readonly stopped: Promise<void>;
  readonly #config: SupervisorConfig;
  readonly #deps: SupervisorDeps;
  readonly #startedAt = Date.now();
  readonly #stopping = new AbortController();
  readonly #forced = new AbortController();
  #starting: Promise<Running> | undefined;
  #running: Running | undefined;
  #saveAgain: NodeJS.Timeout | undefined;
  #markStopped: () => void = () => undefined;

  constructor(config: SupervisorConfig, deps: SupervisorDeps) {
    this.#config = config;
    this.#deps = deps;
    this.stopped = new Promise((resolve) => {
      this.#markStopped = resolve;
    });
  }

  async start(): Promise<readonly string[]> {
    const { log, processes, membership } = await this.takeOver();
    if (membership !== undefined && !(await membership.firstContact())) return [THE_YARD];
    const late = await processes.start(this.#stopping.signal);
    if (late.length > 0) log.warn({ late }, 'not ready yet');
    return late;
  }

  takeOver(): Promise<Running> {
    this.#starting ??= this.#prepare();
    return this.#starting;
  }

  async replaceAll(progress: (step: string) => void): Promise<void> {
    const { processes, log, broker } = await this.takeOver();
    const { paths } = this.#config;
    await replaceProcesses(processes, { paths, log, progress, bus: broker.kind, here: ownInstallation() });
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) {
      this.#forced.abort();
      return this.stopped;
    }
    this.#stopping.abort();
    // What cannot be taken over has been closed by then; whoever called for it hears why.
    const running = await this.#starting?.catch(() => undefined);
    if (running !== undefined) {
      await running.membership?.close();
      await running.onBus?.close();
      await running.processes.stop(this.#forced.signal);
      removeRuntimeFiles(this.#config.paths);
      await this.#close(running.closers);
      removeRuntimeDir(this.#config.paths);
    }
    this.#markStopped();
  }

  status(): YardStatus {
    const broker = this.#running?.broker ?? { kind: 'embedded' };
    return yardStatus({
      paths: this.#config.paths,
      bus: brokerLabel(broker),
      startedAt: this.#startedAt,
      processes: this.#running?.processes.all ?? [],
      upgrade: readUpgrade(this.#config.paths) ?? null,
    });
  }

  /** Everything but starting processes. */
  async #prepare(): Promise<Running> {
    const { paths, uid } = this.#config;
    refuseLongSocketPath(paths.gatewaySocket);
    ensurePrivateDir(paths.runtimeDir, uid);
    ensureStateDir(paths.stateDir, uid);
    ensureStateDir(paths.logDir, uid);
    const { resuming = false } = this.#config;
    const closers: Closer[] = [takeYardLock(lockFileOf(paths), resuming)];
    try {
      if (!resuming) settleUpgrade(paths, ownInstallation().version);
      return await this.#assemble(closers);
    } catch (error) {
      await this.#close(closers);
      throw error;
    }
  }

  async #assemble(closers: Closer[]): Promise<Running> {
    const { paths, settings, env } = this.#config;
    const log = this.#deps.openLog(paths.logDir);
    const left = leftRunning(paths);
    const natsServer = findNatsServer(env['PATH']);
    const { join: joined } = this.#config;
    const broker = this.#brokerOf(left, natsServer);
    const address =
      joined === undefined
        ? await ensureBusFile(paths, broker, left !== undefined, readRoster(paths)?.space)
        : joinedBus(paths, joined);
    // The machines of a yard join the yard itself, never one of them.
    const settled = joined === undefined ? settings.fleet : { ...settings.fleet, listen: '' };
    const fleet = await openFleet(settled, broker, left !== undefined, {
      ...{ paths, uid: this.#config.uid, address, log },
      broker: () => processes.byName('bus-fleet'),
    });
    if (fleet !== undefined) closers.push(() => fleet.close());
    const ours = broker.kind === 'nats-server' ? natsServer : undefined;
    const facts = { paths, settings, env, address, fleet, natsServer: ours };
    const plan =
      joined === undefined
        ? planProcesses(settings.services, broker.kind, fleet !== undefined)
        : planHostProcesses(joined, settings.services);
    const processes = new ProcessSet(plan, {
      launch: launcher(this.#deps.programFor ?? yardPrograms(facts), paths.logDir),
      log,
      installation: ownFacts(),
      standsBy: (spec) => canStandBy(spec, broker.kind),
      changed: () => this.#save(),
      crashed: (spec, crash) => running.onBus?.tell(crashEvent(spec, crash, Date.now())),
      restarted: (spec, restart) => running.onBus?.tell(restartEvent(spec, restart)),
    });
    const running: Running = { log, processes, broker, closers, onBus: undefined, membership: undefined };
    await this.#open(running, address, fleet);
    this.#running = running;
    if (left !== undefined) await adoptLeft(processes, left, log);
    this.#save();
    return running;
  }

  async #open(running: Running, address: BusAddress, fleet: Fleet | undefined): Promise<void> {
    const { paths } = this.#config;
    const { log, processes, closers } = running;
    const observer = new Observer({
      paths,
      processes,
      onBus: () => running.onBus,
      broker: brokerLabel(running.broker),
    });
    const handlers = {
      ...yardHandlers({ processes, status: () => this.status(), stop: () => this.stop(), log }),
      ...upgradeHandlers({
        paths,
        options: this.#config.options,
        env: this.#config.env,
        log,
        settle: async () => {
          await processes.withdrawSuccessors();
          this.#save();
        },
      }),
      ...fleetHandlers(fleet, fleetAbsent(running.broker)),
      ...observeHandlers({
        processes,
        top: observer.top,
        health: () => observer.health(),
        logs: observer.logs,
      }),
    };
    const lost = (name: string, pid: number) => processes.byName(name)?.lifelineClosed(pid);
    const trail = new ControlTrail(join(paths.stateDir, 'audit'), log);
    closers.push(() => trail.close());
    const control = new ControlSocket(paths.supervisorSocket, handlers, { lost, log, trail });
    await control.listen();
    closers.push(() => control.close());
    const rotating = setInterval(() => {
      for (const { spec } of processes.all) tryToRotate(logFileOf(paths.logDir, spec.name), log);
    }, LOG_CHECK_MS).unref();
    closers.push(() => clearInterval(rotating));
    const { port } = this.#config.settings.metrics;
    if (port > 0) {
      try {
        const metrics = await serveMetrics(port, () => observer.metrics(), log);
        closers.push(() => metrics.close());
      } catch (error) {
        // A port that somebody else has must not keep terminals from being taken over.
        log.error({ err: error, port }, 'no metrics: the port cannot be had');
      }
    }
    running.onBus = this.#reach(running, address, handlers);
  }

  /** The yard's bus: we are asked there, or say there that this machine is part of it. */
  #reach(running: Running, address: BusAddress, handlers: SupervisorHandlers): YardBus {
    const { join: credentials, paths, env } = this.#config;
    const { log, processes } = running;
    if (credentials === undefined) return (this.#deps.onBus ?? serveOnBus)(address, handlers, log);
    const identity = ownIdentity(join(paths.stateDir, 'identity.json'));
    running.membership = new Membership({ credentials, identity, address, env, processes, log });
    return running.membership.presence;
  }

  #brokerOf(left: LeftRunning | undefined, natsServer: string | undefined): BrokerChoice {
    const { join: joined, settings } = this.#config;
    if (joined !== undefined) return { kind: 'external', url: joined.urls.join(',') };
    return left?.broker ?? chooseBroker(settings.bus.broker, natsServer);
  }

  #save(): void {
    if (this.#running === undefined) return;
    const { broker, processes } = this.#running;
    clearTimeout(this.#saveAgain);
    try {
      writeProcessTable(this.#config.paths.processFile, { broker, processes: processes.records });
    } catch (error) {
      // Only the next supervisor reads it: this one goes on, and the file follows when there is room.
      if (storageFault(error) === undefined) throw error;
      this.#running.log.error({ err: error }, 'the table of processes could not be written');
      this.#saveAgain = setTimeout(() => this.#save(), SAVE_AGAIN_MS).unref();
    }
  }

  async #close(closers: Closer[]): Promise<void> {
    this.#running = undefined;
    clearTimeout(this.#saveAgain);
    for (const close of closers.reverse()) await close();
  }
}

function joinedBus(paths: YardPaths, credentials: HostCredentials): BusAddress {
  const address = busAddressOf(credentials);
  writePrivateJson(paths.busFile, address);
  return address;
}
