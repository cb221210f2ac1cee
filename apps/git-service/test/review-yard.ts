import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HandlerContext } from '@switchyard/bus';
import {
  checkResult,
  type ErrorCode,
  fail,
  type MethodName,
  type Params,
  type Result,
  validateParams,
} from '@switchyard/protocol';
import { type Answers, type FakeBus, fakeBus, tempDir } from '@switchyard/testing';
import { vi } from 'vitest';
import { Reviewing } from '../src/review/reviewing.js';

type Prompt = Params<'agent.prompt'>;
type Receipt = Result<'agent.receipt'>;
type AnyHandler = (params: unknown, context: HandlerContext) => Promise<unknown>;

const WHERE = { window_id: 'W', window_ref: 'window:1', workspace_id: 'WS', workspace_ref: 'workspace:1' };
export const SOURCE = 'SOURCE';

/** The reviews of a git-service between a real repository and a workspace-service of a few lines. */
export class ReviewYard {
  readonly dir = tempDir('sy-review');
  readonly repo = join(this.dir.path, 'repo');
  readonly log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn(), fatal: vi.fn() };
  /** Prompts that were typed, by their id. */
  readonly typed = new Map<string, { readonly prompt: Prompt; readonly receipt: Receipt }>();
  /** What becomes of the next prompts; after them all goes well. */
  fates: Fate[] = [];
  state: 'working' | 'idle' | null = null;
  since = 0;
  readonly panels = new Map<string, Params<'review.panel_open'>>();
  bus: FakeBus = fakeBus();
  #reviewing: Reviewing | undefined;

  constructor() {
    mkdirSync(this.repo);
    this.git('init', '-q', '-b', 'main');
  }

  start(): void {
    this.bus = fakeBus(this.#answers());
    const path = join(this.dir.path, 'git-service.db');
    this.#reviewing = new Reviewing({ bus: this.bus, log: this.log as never, path });
    this.#reviewing.start();
  }

  async stop(): Promise<void> {
    await this.#reviewing?.stop();
    this.#reviewing = undefined;
  }

  /** A killed service: what it did not store is lost. */
  crash(): void {
    this.start();
  }

  async end(): Promise<void> {
    await this.stop();
    this.dir.remove();
  }

  async call<M extends MethodName>(method: M, params: Params<M>, context: Partial<HandlerContext> = {}) {
    const handlers: object = this.#reviewing?.handlers ?? {};
    const handler = (handlers as Record<string, AnyHandler>)[method];
    if (!handler) throw new Error(`nobody serves ${method}`);
    return checkResult(method, await handler(validateParams(method, params), contextOf(context))) as Result<M>;
  }

  /** Opens a review. @returns its surface */
  async open(params: Params<'review.open'> = {}): Promise<string> {
    return (await this.call('review.open', params)).surface_id;
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', ['-C', this.repo, ...identity, ...args], { stdio: 'pipe' }).toString();
  }

  commit(message = 'a commit'): void {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
  }

  write(path: string, content: string | Buffer): void {
    const at = join(this.repo, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, content);
  }

  read(path: string): string {
    return readFileSync(join(this.repo, path), 'utf8');
  }

  closePanel(id: string): void {
    this.panels.delete(id);
    this.bus.emit('surface.closed', { surface_id: id, workspace_id: 'WS' });
  }

  say(state: 'working' | 'idle' | 'blocked'): void {
    const how = { source: 'hooks', activity: 'unknown' } as const;
    const facts = { ...how, agent: 'a', question: null, since: 0, evidence: [] };
    this.bus.emit('agent.state_changed', { surface_id: SOURCE, workspace_id: 'WS', state, ...facts });
  }

  #answers(): Answers {
    return {
      'review.panel_source': () => ({
        ...WHERE,
        ...pair('surface', SOURCE),
        ...pair('pane', 'P'),
        directory: this.repo,
      }),
      'review.panel_open': (params) => {
        this.panels.set(params.surface_id, params);
        const { surface_id, source_surface_id } = params;
        const panes = { ...pair('pane', 'P2'), ...pair('source_pane', 'P') };
        return { ...WHERE, ...panes, ...pair('surface', surface_id), ...pair('source_surface', source_surface_id) };
      },
      'review.panel_find': ({ surface_id }) => {
        const panel = this.panels.get(surface_id ?? [...this.panels.keys()].at(-1) ?? '');
        if (!panel) return fail('not_found', 'There is no review');
        const { directory, mode, base_branch } = panel;
        const ids = { ...pair('surface', panel.surface_id), ...pair('source_surface', panel.source_surface_id) };
        return { ...WHERE, ...ids, directory, mode, base_branch };
      },
      'review.panel_list': () => ({
        reviews: [...this.panels.values()].map(({ surface_id, source_surface_id }) => ({
          surface_id,
          source_surface_id,
          state: this.state,
          since: this.state === null ? null : this.since,
        })),
      }),
      'agent.prompt': (params) => this.#prompt(params),
      'agent.receipt': ({ client_message_id: id }) => {
        return this.typed.get(id)?.receipt ?? fail('not_found', 'No such prompt');
      },
    };
  }

  /** As the workspace-service does, types under an id once; a repeat is told what became of it. */
  #prompt(prompt: Prompt): Result<'agent.prompt'> {
    const id = prompt.client_message_id ?? '';
    const known = this.typed.get(id);
    if (known && known.prompt.text !== prompt.text) fail('invalid_params', 'This id was used for another prompt');
    const { refuse, lose, receipt: more = {} } = known ? {} : (this.fates.shift() ?? {});
    if (refuse) fail(refuse, 'nothing was typed');
    const { receipt } = known ?? { receipt: receiptOf(prompt, more) };
    this.typed.set(id, known ?? { prompt, receipt });
    if (lose) fail(lose, 'nobody knows what became of it');
    return { ...WHERE, ...pair('surface', SOURCE), working_observed: false, final_state: null, receipt };
  }
}

/** `refuse`: nothing is typed. `lose`: it is, and the caller does not hear of it. */
interface Fate {
  readonly refuse?: ErrorCode;
  readonly lose?: ErrorCode;
  readonly receipt?: Partial<Receipt>;
}

function receiptOf({ client_message_id = '', text }: Prompt, more: Partial<Receipt>): Receipt {
  return {
    client_message_id,
    ...pair('surface', SOURCE),
    agent: 'an-agent',
    stage: 'submitted',
    outcome: 'delivered',
    stages: [],
    enters: 1,
    text_bytes: Buffer.byteLength(text),
    ...more,
  };
}

const pair = <K extends string>(kind: K, id: string) =>
  ({ [`${kind}_id`]: id, [`${kind}_ref`]: `${kind}:1` }) as Record<`${K}_id` | `${K}_ref`, string>;

function contextOf(more: Partial<HandlerContext>): HandlerContext {
  return {
    signal: new AbortController().signal,
    deadline: performance.now() + 15_000,
    caller: { kind: 'client', name: 'test' },
    callId: randomUUID(),
    requestId: undefined,
    ...more,
  };
}
