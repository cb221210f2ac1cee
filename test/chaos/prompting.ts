import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '@switchyard/protocol';
import type { Random } from '../fuzz/random.mjs';
import { type Composer, startComposer } from '../yard/composer-program.js';
import { AGAIN_AFTER_MS, codeOf, type Door, isPassing } from './door.js';
import { type Actor, pause, type World } from './world.js';

type Receipt = Result<'agent.receipt'>;
/** `refused`: the yard said that nothing was written. */
type Outcome = Receipt['outcome'] | 'refused';

const PAUSE_MS = { least: 200, most: 3_000 };
/** Of one sending; the yard goes on with a prompt that it has begun. */
const PROMPT_MS = 60_000;
/** Until a prompt must have found its outcome. */
const SURELY_MS = 300_000;
/** Asked for again after it is over: the answer must be the same, and nothing be written. */
const REPEATED_SHARE = 0.3;
const LONGEST_TEXT_LINES = 30;
const WORDS = ['build', 'test', 'the parser', 'then', 'explain', '💥', 'please', '"quoted"', 'A != B', '[200~'];
/** Every second is an agent that is recognised and says what it does. */
const TALKS = { SWITCHYARD_AGENT: 'claude-code', COMPOSER_STATUS: '1' };

/** Prompts a scripted agent and compares the receipts with what the program of the agent really got. */
export class Prompting implements Actor {
  readonly name: string;
  readonly #world: World;
  readonly #number: number;
  readonly #door: Door;
  readonly #random: Random;
  readonly #outcomes = new Map<string, Outcome>();
  #composer: Composer | undefined;
  #count = 0;

  constructor(world: World, number: number) {
    this.name = `agent ${number}`;
    this.#world = world;
    this.#number = number;
    this.#door = world.door();
    this.#random = world.random();
  }

  async open(): Promise<void> {
    const env = { COMPOSER_WORK_MS: '400', ...(this.#number % 2 === 0 ? {} : TALKS) };
    this.#composer = await startComposer(this.#world.yard, env);
    const { workspace_id } = await this.#door.surely('surface.current', { surface_id: this.#surface });
    this.#world.tree.set(workspace_id, new Set([this.#surface]));
  }

  async run(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const id = `${this.name} ${++this.#count}`;
      const text = this.#text(id);
      const outcome = await this.#prompt(id, text);
      this.#outcomes.set(text, outcome);
      this.#world.ledger.did('prompts');
      this.#judge(text, outcome);
      if (outcome === 'delivered' && this.#random.chance(REPEATED_SHARE)) await this.#prompt(id, text);
      if (outcome !== 'delivered') await this.#clear(text);
      await pause(PAUSE_MS.least + this.#random.below(PAUSE_MS.most - PAUSE_MS.least), until);
    }
  }

  async finish(): Promise<void> {
    for (const [text, outcome] of this.#outcomes) this.#judge(text, outcome);
    for (const text of this.#submitted()) {
      if (!this.#outcomes.has(text)) this.#fault('prompts doubled', `the agent got what nobody wrote: ${show(text)}`);
    }
  }

  async close(): Promise<void> {
    await this.#door.close();
  }

  get #surface(): string {
    return this.#composer?.surface_id ?? '';
  }

  /** What the program of the agent has really got. */
  #submitted(): string[] {
    const texts = this.#composer?.submitted().map(({ text }) => text) ?? [];
    const [first] = texts;
    return first !== undefined && this.#world.tamper.takes('prompt') ? [...texts, first] : texts;
  }

  #judge(text: string, outcome: Outcome): void {
    const times = this.#submitted().filter((one) => one === text).length;
    if (times > 1) this.#fault('prompts doubled', `submitted ${times} times: ${show(text)}`, times - 1);
    if (times === 0 && outcome === 'delivered') this.#fault('prompts lost', `delivered, not there: ${show(text)}`);
    if (times > 0 && outcome === 'refused') this.#fault('wrong answers', `refused, and submitted: ${show(text)}`);
  }

  #fault(kind: 'prompts doubled' | 'prompts lost' | 'wrong answers', what: string, amount = 1): void {
    this.#world.ledger.fault(kind, `${this.name}: ${what}`, amount);
  }

  /** Each begins with its own number: none is part of another. */
  #text(id: string): string {
    const lines = this.#random.chance(0.3) ? 2 + this.#random.below(LONGEST_TEXT_LINES) : 1;
    const line = () => Array.from({ length: 3 }, () => this.#random.pick(WORDS)).join(' ');
    return `${id}: ${Array.from({ length: lines }, line).join('\n')}.`;
  }

  async #prompt(client_message_id: string, text: string): Promise<Outcome> {
    const order = { surface_id: this.#surface, text, client_message_id, timeout_ms: PROMPT_MS, working_grace_ms: 500 };
    const end = Date.now() + SURELY_MS;
    while (Date.now() < end) {
      try {
        return (await this.#door.ask('agent.prompt', order)).receipt.outcome;
      } catch (error) {
        const code = codeOf(error);
        if (code === 'agent_not_ready') await this.#clear(text);
        else if (!isPassing(error)) throw error;
        const known = await this.#receipt(client_message_id);
        if (known !== undefined && known.outcome !== 'pending') return known.outcome;
      }
      this.#world.ledger.did('repeats');
      await delay(AGAIN_AFTER_MS);
    }
    this.#world.ledger.fault('requests without an answer', `${this.name}: the outcome of ${show(text)}`);
    return 'pending';
  }

  /** @returns undefined when nothing was written under that id */
  async #receipt(client_message_id: string): Promise<Receipt | undefined> {
    try {
      return await this.#door.surely('agent.receipt', { client_message_id });
    } catch (error) {
      if (codeOf(error) === 'not_found') return undefined;
      throw error;
    }
  }

  /** As a person does with a text that stands in the composer and was not submitted. */
  async #clear(text: string): Promise<void> {
    const data = Buffer.from('\x7f'.repeat(text.length + 1)).toString('base64');
    await this.#door.surely('surface.send_bytes', { surface_id: this.#surface, data });
  }
}

const show = (text: string) => JSON.stringify(text.slice(0, 80));
