import { randomUUID } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandlerContext } from '@switchyard/bus';
import type { MethodName, Params, Result } from '@switchyard/protocol';
import { checkResult, contract, validateParams } from '@switchyard/protocol';
import { type Answers, type FakeBus, fakeBus, tempDir } from '@switchyard/testing';
import { vi } from 'vitest';
import { build } from '../src/workspace-service.js';
import { FakePtyHost } from './fake-pty-host.js';

type AnyHandler = (params: unknown, context: HandlerContext) => Promise<unknown>;

export interface YardOptions {
  readonly compat?: boolean;
  readonly paneCap?: number;
  readonly closeUndoMs?: number;
  readonly newWorkspace?: 'top' | 'after-current' | 'end';
  readonly restore?: 'ask' | 'shells' | 'commands' | 'agents';
  readonly env?: Record<string, string>;
}

const HOME = '/home/someone';
const DEADLINE_MS = 15_000;

/** The service under test between a bus in memory and a fake pty-host that outlives it. */
export class FakeYard {
  readonly host = new FakePtyHost();
  readonly log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn(), fatal: vi.fn() };
  readonly #dir = tempDir('sy-ws');
  readonly #options: YardOptions;
  /** What services other than the pty-host answer. */
  readonly others: { -readonly [M in keyof Answers]: Answers[M] } = {};
  bus: FakeBus = fakeBus();
  #handlers: Record<string, AnyHandler> = {};
  #app: ReturnType<typeof build> | undefined;

  constructor(options: YardOptions = {}) {
    this.#options = options;
  }

  /** Folder of the configuration. */
  get configDir(): string {
    return this.#dir.path;
  }

  get stateDir(): string {
    return join(this.#dir.path, 'state');
  }

  async start(): Promise<void> {
    const bus = fakeBus({ ...this.others, ...this.host.answers });
    const serve: FakeBus['serve'] = async (_service, _address, handlers) => {
      this.#handlers = handlers as unknown as Record<string, AnyHandler>;
      return { health: 'ready', stop: async () => undefined };
    };
    this.bus = { ...bus, serve };
    this.host.bus = bus;
    const env = { HOME, SHELL: '/bin/sh', PATH: '/usr/bin', ...this.#options.env };
    this.#app = build({ bus: this.bus, log: this.log, env: this.#serviceEnv() } as never, env);
    await this.#app.start();
    await vi.waitFor(() => this.call('system.identify', {}));
  }

  async stop(): Promise<void> {
    await this.#app?.stop();
    this.#app = undefined;
  }

  /** As the supervisor restarts the service: same database, same terminals. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** A killed service: nothing is written on its way out. */
  async crash(): Promise<void> {
    this.#app = undefined;
    await this.start();
  }

  /** While it is stopped: what a failing disk leaves of a database. */
  breakDatabase(): void {
    writeFileSync(join(this.stateDir, 'workspace-service.db'), 'not a database at all '.repeat(1000));
  }

  /** How much was written so far: what is in the files and when they were last touched. */
  stateBytes(): unknown {
    return ['', '-wal'].map((suffix) => {
      const { size, mtimeMs } = statSync(join(this.#dir.path, 'state', `workspace-service.db${suffix}`));
      return [size, mtimeMs];
    });
  }

  async end(): Promise<void> {
    await this.stop();
    this.#dir.remove();
  }

  /** As the gateway calls, with parameters in their lenient spellings; internal methods as our own services call them. */
  async call<M extends MethodName>(
    method: M,
    params: Params<M> | Record<string, unknown>,
    context: Partial<HandlerContext> = {},
  ): Promise<Result<M>> {
    const handler = this.#handlers[method];
    if (!handler) throw new Error(`nobody serves ${method}`);
    // As JSON carries it: a member without a value is not sent.
    const sent = JSON.parse(JSON.stringify(params)) as Record<string, unknown>;
    const valid = contract[method].visibility === 'internal' ? sent : validateParams(method, sent);
    return checkResult(method, await handler(valid, contextOf(context)));
  }

  published(event: string): unknown[] {
    return this.bus.published.filter((one) => one.event === event).map(({ data }) => data);
  }

  #serviceEnv() {
    const {
      compat = false,
      restore = 'shells',
      paneCap = 64,
      closeUndoMs = 5000,
      newWorkspace = 'after-current',
    } = this.#options;
    return {
      name: 'workspace-service',
      service: 'workspace-service',
      address: '_',
      host: 'local',
      paths: {
        yard: 'test',
        stateDir: this.stateDir,
        runtimeDir: join(this.#dir.path, 'run'),
        gatewaySocket: '/run/test/gateway.sock',
        configFile: join(this.#dir.path, 'config.toml'),
      },
      settings: {
        services: { pty_hosts: 1 },
        layout: { columns: 200, rows: 50, pane_cap: paneCap, new_workspace: newWorkspace },
        terminal: { shell: '', close_undo_ms: closeUndoMs },
        restore: { policy: restore },
        sidebar: { log_entries: 50 },
        compat: { programa: compat },
      },
    };
  }
}

export async function startFakeYard(options: YardOptions = {}): Promise<FakeYard> {
  const yard = new FakeYard(options);
  await yard.start();
  await vi.waitFor(() => {
    if (yard.host.spawns === 0) throw new Error('the first shell has not been started');
  });
  return yard;
}

function contextOf(more: Partial<HandlerContext>): HandlerContext {
  return {
    signal: new AbortController().signal,
    deadline: performance.now() + DEADLINE_MS,
    caller: { kind: 'client', name: 'test' },
    callId: randomUUID(),
    requestId: undefined,
    ...more,
  };
}
