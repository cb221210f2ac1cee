import type { Bus } from '@switchyard/bus';
import { fail, type MethodsOf, type Params, type Result, SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Config } from './config.js';
import type { CellSize, Id, SurfaceRecord } from './domain/entities.js';
import { LOCAL } from './domain/hosts.js';
import { afterText } from './domain/launch.js';
import { surfaceSize, surfaceSizes } from './domain/layout.js';
import type { Model } from './domain/model.js';
import { terminalEnv, type YardFacts } from './domain/terminal-env.js';
import type { Hosts } from './hosts.js';
import type { Call } from './yard-state.js';

type TerminalMethod = MethodsOf<'pty-host'>;
type Facts = Readonly<Record<string, unknown>>;
type Opened = Result<'terminal.open'>;

/** What is known of a terminal that runs. */
export interface Running {
  readonly pid: number;
  readonly tty: string | null;
}

/** Starting a program takes milliseconds; this bounds a host that hangs. */
const OPEN_TIMEOUT_MS = 15_000;
/** Hang-up, terminate and kill with their graces all fit in it. */
const CLOSE_TIMEOUT_MS = 60_000;
/** A resize is one ioctl. */
const RESIZE_TIMEOUT_MS = 5000;
/** A call may still wait for a pty-host that starts up; it must not outlive its caller by this. */
const LEAST_TIMEOUT_MS = 1;

/** Calls the pty-host that follows a surface, once that terminal and that host are known to be there. */
export class Terminals {
  readonly #bus: Bus;
  readonly #model: Model;
  readonly #log: Log;
  readonly #config: () => Config;
  readonly #hosts: Hosts;
  readonly #running = new Map<Id, Running>();
  readonly #opening = new Map<Id, Promise<Opened>>();
  readonly #sizes = new Map<Id, CellSize>();
  readonly #ready = new Map<string, PromiseWithResolver>();

  constructor(bus: Bus, model: Model, hosts: Hosts, config: () => Config, log: Log) {
    this.#bus = bus;
    this.#hosts = hosts;
    this.#model = model;
    this.#config = config;
    this.#log = log;
  }

  addressOf(surface: Pick<SurfaceRecord, 'id' | 'host'>): string {
    return this.#hosts.addressOf(surface);
  }

  running(id: Id): Running | undefined {
    return this.#running.get(id);
  }

  /** The program is being started right now. */
  isOpening(id: Id): boolean {
    return this.#opening.has(id);
  }

  /** Resolves when no start of this surface's program is under way, whatever its outcome. */
  async opened(id: Id): Promise<void> {
    const opening = this.#opening.get(id);
    if (opening !== undefined) await Promise.allSettled([opening]);
  }

  /**
   * Starts the program of a surface. A repeat while it starts joins; while it runs it changes nothing.
   *
   * @throws `command_not_found`, `directory_not_found`, `service_unavailable` (not started) or what the bus says
   */
  open(surface: SurfaceRecord, caller?: Call): Promise<Opened> {
    const opening = this.#opening.get(surface.id);
    if (opening !== undefined) return opening;
    const started = this.#open(surface, caller).finally(() => this.#opening.delete(surface.id));
    this.#opening.set(surface.id, started);
    return started;
  }

  /**
   * Asks for one surface, after its host has been compared with the model; gives up at the caller's deadline.
   *
   * @param options.facts given when the answer to `call` is these and the result: the caller may then have it at once
   * @throws `invalid_params` for a surface that is no terminal, and what the pty-host answers
   */
  async ask<M extends TerminalMethod>(
    method: M,
    surface: Pick<SurfaceRecord, 'id' | 'host'>,
    params: Params<M>,
    call: Call,
    { signal = call.signal, facts }: { readonly signal?: AbortSignal; readonly facts?: Facts } = {},
  ): Promise<Result<M>> {
    if (this.#model.surfaces.get(surface.id)?.type === 'review') {
      return fail('invalid_params', 'This surface is a review: it has no terminal', { surface_id: surface.id });
    }
    const left = () => Math.max(LEAST_TIMEOUT_MS, Math.ceil(call.deadline - performance.now()));
    this.#hosts.check(surface.host);
    await this.#whenReady(surface, left(), signal);
    await this.opened(surface.id);
    if (signal.aborted) throw new SwitchyardError('cancelled', 'The request was withdrawn');
    const options = {
      address: this.addressOf(surface),
      timeoutMs: left(),
      signal,
      caller: call.caller,
      ...(call.requestId === undefined ? {} : { requestId: call.requestId }),
      // Other machines answer us, and nobody else.
      ...(facts && surface.host === this.#config().host && { onBehalf: { callId: call.callId, facts } }),
    };
    try {
      return await this.#bus.call(method, params, options);
    } catch (error) {
      throw codeOf(error) === 'not_found' ? goneError(surface.id) : this.#errorAt(surface.host, error);
    }
  }

  /** Ends the program and its session; answers when they are gone. A terminal that is not there counts as ended. */
  async close(surface: SurfaceRecord, killSurvivors: boolean): Promise<Result<'terminal.close'>> {
    await this.opened(surface.id);
    this.#hosts.check(surface.host);
    try {
      const params = { surface_id: surface.id, kill_survivors: killSurvivors };
      return await this.#bus.call('terminal.close', params, this.#options(surface, CLOSE_TIMEOUT_MS));
    } catch (error) {
      if (codeOf(error) === 'not_found') return { exit: null, survivors: [] };
      throw error;
    } finally {
      this.#running.delete(surface.id);
      this.#sizes.delete(surface.id);
    }
  }

  /** Removes what is kept of an ended terminal. Answers whether it is gone now. */
  async forget(surface: Pick<SurfaceRecord, 'id' | 'host'>): Promise<boolean> {
    try {
      this.#hosts.check(surface.host);
      await this.#bus.call('terminal.forget', { surface_id: surface.id }, this.#options(surface, OPEN_TIMEOUT_MS));
      return true;
    } catch (error) {
      if (codeOf(error) === 'not_found') return true;
      this.#log.warn({ err: error, surface_id: surface.id }, 'the log of a closed terminal could not be removed');
      return false;
    }
  }

  /** All terminals of one pty-host. */
  async list(address: string): Promise<Result<'terminal.list'>['terminals']> {
    return (await this.#bus.call('terminal.list', {}, { address, timeoutMs: OPEN_TIMEOUT_MS })).terminals;
  }

  /** Takes over what a pty-host says of a terminal that runs. */
  noteRunning(id: Id, running: Running, size: CellSize): void {
    this.#running.set(id, running);
    this.#sizes.set(id, size);
  }

  noteEnded(id: Id): void {
    this.#running.delete(id);
    this.#sizes.delete(id);
  }

  /** The latest lines of a terminal; empty where they can not be had. */
  async textOf(surface: SurfaceRecord, lines: number, timeoutMs: number, signal: AbortSignal): Promise<string> {
    const asked = { surface_id: surface.id, scrollback: true, lines };
    try {
      this.#hosts.check(surface.host);
      return (await this.#bus.call('terminal.read_text', asked, { ...this.#options(surface, timeoutMs), signal })).text;
    } catch (error) {
      if (codeOf(error) !== 'not_found') {
        this.#log.warn({ err: error, surface_id: surface.id }, 'the text of a terminal could not be read');
      }
      return '';
    }
  }

  /** Resolves when all addresses have been compared with the model; false: the signal came first. */
  async whenAllReady(addresses: readonly string[], signal: AbortSignal): Promise<boolean> {
    const stopped = promiseWithResolver();
    const stop = () => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    const all = Promise.all(addresses.map((address) => this.#readiness(address).promise));
    await Promise.race([all, stopped.promise]);
    signal.removeEventListener('abort', stop);
    return !signal.aborted;
  }

  /** From now on calls to the address need not wait. */
  markReady(address: string): void {
    this.#readiness(address).resolve();
  }

  /** Until it is ready again: what runs there has to be compared with the model first. */
  markAway(address: string): void {
    if (this.#ready.get(address)?.done === true) this.#ready.delete(address);
  }

  /** Gives every terminal of the workspaces the size that the layout asks for. Sends only what changed. */
  async fit(workspaceIds: Iterable<Id>): Promise<void> {
    const sent: Promise<void>[] = [];
    for (const id of workspaceIds) {
      const workspace = this.#model.workspaces.get(id);
      if (!workspace) continue;
      for (const [surfaceId, size] of surfaceSizes(this.#model, workspace, this.#config().rules.cells)) {
        const known = this.#sizes.get(surfaceId);
        if (!known || this.isOpening(surfaceId) || isSame(known, size)) continue;
        sent.push(this.#resize(this.#model.surface(surfaceId), size));
      }
    }
    await Promise.all(sent);
  }

  async #open(surface: SurfaceRecord, caller: Call | undefined): Promise<Opened> {
    this.#hosts.check(surface.host);
    const config = this.#config();
    const size = surfaceSize(this.#model, surface, config.rules.cells);
    this.#sizes.set(surface.id, size);
    const timeoutMs = caller
      ? Math.max(LEAST_TIMEOUT_MS, Math.ceil(caller.deadline - performance.now()))
      : OPEN_TIMEOUT_MS;
    const params = {
      surface_id: surface.id,
      argv: programOf(surface, this.#hosts.presence(surface.host)?.shell ?? config.rules.shell),
      cwd: surface.launch.cwd,
      env: this.#envOf(surface, config),
      ...size,
    };
    try {
      const opened = await this.#bus.call('terminal.open', params, this.#options(surface, timeoutMs));
      this.#running.set(surface.id, { pid: opened.pid, tty: opened.tty });
      return opened;
    } catch (error) {
      this.#sizes.delete(surface.id);
      throw this.#errorAt(surface.host, error);
    }
  }

  #envOf(surface: SurfaceRecord, config: Config): Record<string, string> {
    const workspace = this.#model.workspaceOf(surface);
    return terminalEnv(this.#factsOf(surface.host, config), {
      surfaceId: surface.id,
      surfaceRef: surface.ref,
      paneId: surface.paneId,
      workspaceId: workspace.id,
      workspaceRef: workspace.ref,
      given: surface.launch.env,
    });
  }

  /** Another machine has its own environment, and no socket of the yard. */
  #factsOf(host: string, { facts }: Config): YardFacts {
    if (host === LOCAL) return facts;
    return { ...facts, base: this.#hosts.presence(host)?.env ?? {}, socket: null, cliFolder: null };
  }

  /** That a machine of the yard went away just now is told in its own words. */
  #errorAt(host: string, error: unknown): unknown {
    return host !== LOCAL && codeOf(error) === 'service_unavailable' ? this.#hosts.unreachable(host) : error;
  }

  async #resize(surface: SurfaceRecord, size: CellSize): Promise<void> {
    this.#sizes.set(surface.id, size);
    try {
      this.#hosts.check(surface.host);
      const params = { surface_id: surface.id, ...size };
      await this.#bus.call('terminal.resize', params, this.#options(surface, RESIZE_TIMEOUT_MS));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'not_found' || code === 'terminal_exited') return;
      // The host is away; when it is back its terminals are compared with the model, sizes included.
      this.#log.warn({ err: error, surface_id: surface.id }, 'a terminal could not be resized');
    }
  }

  #options(surface: Pick<SurfaceRecord, 'id' | 'host'>, timeoutMs: number) {
    return { address: this.addressOf(surface), timeoutMs };
  }

  #readiness(address: string): PromiseWithResolver {
    const known = this.#ready.get(address);
    if (known) return known;
    const made = promiseWithResolver();
    this.#ready.set(address, made);
    return made;
  }

  async #whenReady(surface: Pick<SurfaceRecord, 'id' | 'host'>, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const address = this.addressOf(surface);
    const readiness = this.#readiness(address);
    if (readiness.done) return;
    const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const stopped = promiseWithResolver();
    const stop = () => stopped.resolve();
    late.addEventListener('abort', stop, { once: true });
    await Promise.race([readiness.promise, stopped.promise]);
    late.removeEventListener('abort', stop);
    if (!readiness.done) {
      const error = new SwitchyardError('service_unavailable', 'The pty-host of this terminal is not running', {
        address,
      });
      throw this.#errorAt(surface.host, error);
    }
  }
}

/** The surface is on record, so what is not there is its terminal (bug case E7). */
const goneError = (surface_id: Id): SwitchyardError =>
  new SwitchyardError('not_found', 'The terminal of this surface is gone: close it, or start it anew', { surface_id });

function programOf({ launch, replay }: SurfaceRecord, shell: string): string[] {
  if (launch.argv !== null) return [...launch.argv];
  return replay == null ? [shell] : afterText(replay, [shell]);
}

interface PromiseWithResolver {
  readonly promise: Promise<void>;
  readonly done: boolean;
  resolve(): void;
}

function promiseWithResolver(): PromiseWithResolver {
  let finish: () => void = () => undefined;
  let done = false;
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    promise,
    get done() {
      return done;
    },
    resolve: () => {
      done = true;
      finish();
    },
  };
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof SwitchyardError ? error.code : undefined;
}

const isSame = (a: CellSize, b: CellSize): boolean => a.cols === b.cols && a.rows === b.rows;
