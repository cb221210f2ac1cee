import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Handlers } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { type Bus, type BusOptions, connectBus, type HandlerContext, type Log, type Served } from '../../src/index.js';
import type { BrokerKind, TestBroker } from './brokers.js';

const RESPONDER = fileURLToPath(new URL('../fixtures/responder.mjs', import.meta.url));

export const ADDRESS = 'local-0';
/** Calls to the service that the cases use. */
export const there = { address: ADDRESS } as const;

type SomeHandlers = Partial<Record<string, (params: never, ctx: HandlerContext) => unknown>>;

/** A broker, and everything that a case opens, closed again after it. */
export class Scene {
  readonly logged: { level: string; facts: object; message: string }[] = [];
  readonly #ends: (() => Promise<unknown> | unknown)[] = [];
  #broker: TestBroker | undefined;

  get broker(): TestBroker {
    if (this.#broker === undefined) throw new Error('the scene has not begun');
    return this.#broker;
  }

  async begin(kind: BrokerKind): Promise<void> {
    this.#broker = await kind.make();
    await this.#broker.start();
  }

  /** Closes what one case opened; the broker stays. */
  async clear(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
    this.logged.length = 0;
  }

  async end(): Promise<void> {
    await this.clear();
    await this.#broker?.end();
  }

  later(end: () => Promise<unknown> | unknown): void {
    this.#ends.push(end);
  }

  async bus(options: Partial<BusOptions> = {}): Promise<Bus> {
    const { url, token } = this.broker;
    const bus = await connectBus({ url, token, service: 'gateway', log: this.log(), ...options });
    this.later(() => bus.close());
    return bus;
  }

  /** Serves a few methods of pty-host: those that a case is about. */
  serve(bus: Bus, handlers: SomeHandlers): Promise<Served> {
    return bus.serve('pty-host', ADDRESS, handlers as unknown as Handlers<'pty-host', HandlerContext>);
  }

  /** The same service as a process of its own, that can be killed. */
  async responder(mode: object = {}): Promise<Responder> {
    const { url, token } = this.broker;
    const child = spawn(process.execPath, [RESPONDER, JSON.stringify({ url, token, address: ADDRESS, ...mode })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const responder = new Responder(child);
    this.later(() => responder.kill());
    await responder.says('ready');
    return responder;
  }

  log(): Log {
    const at = (level: string) => (facts: object, message: string) => {
      this.logged.push({ level, facts, message });
    };
    return { debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') };
  }
}

export class Responder {
  readonly #child: ChildProcess;
  #said = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
  }

  get said(): string[] {
    return this.#said.split('\n').filter(Boolean);
  }

  async says(line: string): Promise<void> {
    await waitFor(`the responder to say ${line}`, () => this.said.includes(line), { seen: () => this.#said });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  async exited(): Promise<void> {
    await waitFor('the responder to exit', () => this.#child.exitCode !== null || this.#child.signalCode !== null);
  }
}

export const codeOf = (error: unknown) => (error as { code?: unknown }).code;
export const failed = (promise: Promise<unknown>) => promise.then((value) => ({ value }), codeOf);
