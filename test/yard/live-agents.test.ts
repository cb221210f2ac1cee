import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@switchyard/client';
import { processesMentioning, waitFor, type Yard } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVE_AGENTS, type LiveAgent, type Place } from './live/agents.js';
import { type Installed, installDeadline, installed } from './live/install.js';
import { StandIn } from './live/stand-in.js';
import { useYard } from './use-yard.js';

/** Agents need many seconds to start on two cores. */
const START_TIMEOUT_MS = 60_000;
/** For all of them; CI has other tests to run. What is left then is skipped. */
const BUDGET_MS = 150_000;
/** Of which the runs without hooks begin in the first part, so that on a slow machine some are left with hooks. */
const WITHOUT_HOOKS_MS = BUDGET_MS / 3;
/** For a state that is to be seen; the delay itself is measured by the evaluation. */
const SEEN_TIMEOUT_MS = 20_000;
/** After a key, until the agent must have heeded it. */
const HEEDED_MS = 3000;
const MOST_TRIES = 5;

const deadline = installDeadline();
const found = new Map<LiveAgent, Installed>(
  await Promise.all(LIVE_AGENTS.map(async (agent) => [agent, await installed(agent.package, deadline)] as const)),
);

let began: number | undefined;

describe.each([
  { how: 'without hooks', hooks: false },
  { how: 'with our hooks in a fresh home', hooks: true },
])('a real agent $how', ({ hooks }) => {
  const yard = useYard();
  let model: StandIn | undefined;
  beforeAll(async () => {
    model = await StandIn.start();
  });
  afterAll(async () => {
    await model?.close();
    endDaemons(yard().dir);
  });

  for (const [agent, at] of found) {
    const title = `${agent.name} ${agent.package.version}`;
    if ('missing' in at) {
      it.skip(`${title}: skipped, ${at.missing}`, () => undefined);
      continue;
    }
    it(`${title} is told working, blocked and idle, and gets each prompt once`, async ({ skip }) => {
      began ??= Date.now();
      if (Date.now() > began + (hooks ? BUDGET_MS : WITHOUT_HOOKS_MS)) return skip('the time for real agents is over');
      const run = await LiveRun.start(yard(), agent, at.bin, model ?? expect.fail('the model is there'), hooks);
      await run.answersAPrompt();
      await run.asksForPermission();
      if (agent.queues) await run.worksWithAQueuedPrompt();
      await run.isKnownByItsHooks();
    });
  }
});

/** Codex leaves a server behind that outlives it, in its own home. */
function endDaemons(dir: string): void {
  for (const { pid, command } of processesMentioning(dir))
    if (command.includes('/.codex/')) process.kill(pid, 'SIGKILL');
}

/** One agent at work. */
class LiveRun {
  readonly #client: Client;
  readonly #agent: LiveAgent;
  readonly #model: StandIn;
  readonly #place: Place;
  readonly #hooks: boolean;
  readonly #surface: string;

  private constructor(client: Client, agent: LiveAgent, model: StandIn, place: Place, hooks: boolean, surface: string) {
    this.#client = client;
    this.#agent = agent;
    this.#model = model;
    this.#place = place;
    this.#hooks = hooks;
    this.#surface = surface;
  }

  static async start(yard: Yard, agent: LiveAgent, bin: string, model: StandIn, hooks: boolean): Promise<LiveRun> {
    const client = await yard.client();
    const place = { home: yard.env['HOME'] ?? '', cwd: join(yard.dir, agent.name), url: model.url };
    mkdirSync(place.cwd, { recursive: true });
    for (const [path, text] of Object.entries(agent.files(place))) {
      const file = join(place.home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (hooks) await client.call('integration.install', { agent: agent.name });
    const { surface_id, agent: seen } = await client.call('agent.start', {
      kind: agent.kind,
      command: [join(bin, agent.name)],
      args: [...agent.args],
      cwd: place.cwd,
      env: agent.env(place),
      new_workspace: true,
      timeout_ms: START_TIMEOUT_MS,
    });
    expect(seen).toBe(agent.kind);
    const run = new LiveRun(client, agent, model, place, hooks, surface_id);
    if (hooks && agent.trustHooks !== null) await run.#answer(agent.trustHooks);
    await run.#isReady();
    return run;
  }

  async answersAPrompt(): Promise<void> {
    const prompt = `Please say hello to the test of ${this.#agent.name}.`;
    const sent = this.#send(prompt);
    const turn = await this.#turn(prompt, false);
    turn.say('Hello, ');
    await this.#is('working');
    expect((await sent).receipt).toMatchObject({ client_message_id: this.#idOf(prompt), outcome: 'delivered' });
    turn.end('test.');
    await this.#is('idle');
    await this.#cameOnce(prompt);
  }

  async asksForPermission(): Promise<void> {
    const prompt = `Please make a file with ${this.#agent.name}.`;
    const sent = this.#send(prompt);
    const turn = await this.#turn(prompt, false);
    turn.run('touch made-by-the-agent');
    const { question } = await this.#is('blocked');
    expect(question).not.toBeNull();
    await sent;
    await expect(this.#send('And now?')).rejects.toMatchObject({ code: 'agent_not_ready' });
    await this.#asksOnScreen();
    await this.#approve();
    const after = await this.#turn(prompt, true);
    await this.#is('working');
    after.end('It is there.');
    await this.#is('idle');
    expect(existsSync(join(this.#place.cwd, 'made-by-the-agent'))).toBe(true);
    await this.#cameOnce(prompt);
    expect(this.#model.turnsOf('And now?')).toBe(0);
  }

  /** What waits its turn stands above the composer, and looks much like a list with a mark. */
  async worksWithAQueuedPrompt(): Promise<void> {
    const [prompt, next] = ['Please take your time.', 'And then say goodbye.'];
    const sent = this.#send(prompt);
    const turn = await this.#turn(prompt, false);
    turn.say('Well, ');
    await this.#is('working');
    await sent;
    expect((await this.#send(next)).receipt.outcome).toBe('delivered');
    const explained = await this.#client.call('agent.explain', { surface_id: this.#surface });
    expect(explained).toMatchObject({ state: 'working', question: null });
    turn.end('that was it.');
    const last = await this.#turn(next, false);
    await this.#is('working');
    last.end('Goodbye.');
    await this.#is('idle');
    await this.#cameOnce(next);
  }

  /** Hooks may tell of a question before there is anything to answer. */
  async #asksOnScreen(): Promise<void> {
    const at = { surface_id: this.#surface };
    const asks = async () => (await this.#client.call('agent.explain', at)).question !== null;
    await this.#shown(waitFor('the question is on the screen', asks));
  }

  /** Only hooks name the conversation. */
  async isKnownByItsHooks(): Promise<void> {
    const { session } = await this.#client.call('agent.get', { surface_id: this.#surface });
    if (this.#hooks) expect(session?.session_id).toMatch(/\S/);
    else expect(session).toBeNull();
  }

  /** One yard has several agents, and each gets the same prompts. */
  #idOf(text: string): string {
    return `${this.#surface}: ${text}`;
  }

  #send(text: string) {
    return this.#client.call('agent.prompt', {
      surface_id: this.#surface,
      text,
      wait: false,
      client_message_id: this.#idOf(text),
      agent: this.#agent.kind,
    });
  }

  async #cameOnce(prompt: string): Promise<void> {
    const receipt = await this.#client.call('agent.receipt', { client_message_id: this.#idOf(prompt) });
    expect(receipt).toMatchObject({ outcome: 'delivered' });
    // Sent again under the same id it is not written again.
    expect((await this.#send(prompt)).receipt).toEqual(receipt);
    expect([this.#model.turnsOf(prompt), this.#model.timesIn(prompt)]).toEqual([1, 1]);
  }

  async #answer(keys: readonly string[]): Promise<void> {
    await this.#is('blocked');
    for (const key of keys) await this.#press(key);
  }

  /** Some dialogs take no key in their first moment, so that nobody answers what they have not read. */
  async #approve(): Promise<void> {
    for (let tries = 1; ; tries++) {
      for (const key of this.#agent.approve) await this.#press(key);
      const answered = { surface_id: this.#surface, until: ['working', 'idle'], timeout_ms: HEEDED_MS };
      try {
        await this.#client.call('agent.wait', answered);
        return;
      } catch (error) {
        if (tries === MOST_TRIES || (error as { code?: string }).code !== 'timeout') throw error;
      }
    }
  }

  #press(key: string) {
    return this.#client.call('surface.send_key', { surface_id: this.#surface, key });
  }

  async #isReady(): Promise<void> {
    await this.#is('idle');
    if (!this.#agent.saysItself) return;
    const says = async () => (await this.#client.call('agent.get', { surface_id: this.#surface })).source === 'program';
    await this.#shown(waitFor('it says itself that it is ready', says, { timeoutMs: START_TIMEOUT_MS }));
  }

  #is(state: 'working' | 'idle' | 'blocked') {
    const at = { surface_id: this.#surface, until: [state], timeout_ms: SEEN_TIMEOUT_MS };
    return this.#shown(this.#client.call('agent.wait', at));
  }

  #turn(prompt: string, afterTool: boolean) {
    return this.#shown(this.#model.turn(prompt, { afterTool }));
  }

  /** What was waited for; a failure tells what was on the screen instead. */
  async #shown<T>(waited: Promise<T>): Promise<T> {
    try {
      return await waited;
    } catch (error) {
      const at = { surface_id: this.#surface };
      const { text } = await this.#client.call('surface.read_text', at);
      const { state, evidence } = await this.#client.call('agent.get', at);
      return expect.fail(`${error}\n${this.#agent.name} is ${state}: ${JSON.stringify(evidence)}\n${text}`);
    }
  }
}
