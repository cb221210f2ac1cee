import type { Bus } from '@switchyard/bus';
import { fail, SwitchyardError } from '@switchyard/protocol';
import type { Agents } from './agents.js';
import type { Id, SurfaceRecord } from './domain/entities.js';
import {
  isSeen,
  LONGEST_WRITE_MS,
  type PromptEnd,
  type PromptMachine,
  promptMachine,
  stepPrompt,
} from './domain/prompt-machine.js';
import { follow, type PromptRecord, reach, stageOf } from './domain/prompt-receipt.js';
import { type Fingerprint, fingerprintOf, hasLeft, type Look, lookAt, type Marker } from './domain/prompt-screen.js';
import type { InputLocks } from './input-locks.js';
import { digestOf, type PromptBook } from './prompt-book.js';
import { ScreenWatch } from './screen-watch.js';
import { codeOf, type Terminals } from './terminals.js';
import type { Call } from './yard-state.js';

/** A pty-host that is restarted in the middle is back within this; it comes on top of the writing itself. */
const RESTART_MS = 10_000;
/** Between two looks while the pty-host is away. */
const AWAY_MS = 200;
/** After these errors nothing was typed; after any other it may have been. */
const NOTHING_TYPED = new Set(['terminal_exited', 'input_overflow', 'not_found', 'invalid_params']);

export interface PromptParts {
  readonly bus: Bus;
  readonly book: PromptBook;
  readonly agents: Agents;
  readonly terminals: Terminals;
  readonly locks: InputLocks;
  readonly now: () => number;
}

/** Terminals in which a prompt may stand that was not submitted; beyond this the oldest are forgotten. */
const STUCK_KEPT = 256;

/** A prompt that was left standing in a composer. */
interface Stuck {
  readonly id: string;
  readonly fingerprint: Fingerprint;
  readonly marker: Marker;
  readonly look: Look;
}

/** What is to be written where. */
export interface PromptOrder {
  /** The client_message_id. */
  readonly id: string;
  readonly surface: SurfaceRecord;
  readonly text: string;
  /** Only if this agent runs there. */
  readonly agent: string | undefined;
  readonly force: boolean;
}

/**
 * Writes prompts and sees to it that they arrive, each at most once: what is about to be done is stored before it is done,
 * and everything that is typed carries an id under which the keeper types it once.
 */
export class Prompts {
  readonly #parts: PromptParts;
  readonly #running = new Map<string, Promise<PromptRecord>>();
  readonly #stuck = new Map<Id, Stuck>();
  readonly #stopping = new AbortController();

  constructor(parts: PromptParts) {
    this.#parts = parts;
  }

  /**
   * Writes a prompt, or joins its being written, or answers what became of it.
   *
   * @throws `agent_not_ready`, `agent_not_running` and the errors of input: nothing was submitted; `outcome_unknown`: it
   *   may have been typed, and never will be again; `invalid_params`: the id was used for another prompt
   */
  async deliver(order: PromptOrder, call: Call): Promise<PromptRecord> {
    const known = this.#parts.book.find(order.id);
    if (known && known.digest !== digestOf(order.surface.id, order.text)) {
      const facts = { parameter: 'client_message_id', surface_id: known.surfaceId };
      return fail('invalid_params', 'This client_message_id was used for another prompt', facts);
    }
    const running = this.#running.get(order.id);
    if (running !== undefined) return running;
    if (known) return known;
    const writing = this.#deliver(order, call).finally(() => this.#running.delete(order.id));
    this.#running.set(order.id, writing);
    return writing;
  }

  /** Prompts that are being written stay as they are: the next start finds them so. */
  stop(): void {
    this.#stopping.abort();
  }

  async #deliver(order: PromptOrder, call: Call): Promise<PromptRecord> {
    const { agents, bus, locks } = this.#parts;
    const free = await locks.hold(order.surface.id, call);
    const watch = new ScreenWatch(bus, agents, order.surface.id);
    try {
      // Once begun it is brought to its end, whether or not its caller stays.
      const deadline = Math.max(call.deadline, performance.now() + LONGEST_WRITE_MS + RESTART_MS);
      const own = { ...call, deadline, signal: this.#stopping.signal };
      await this.#checkReady(order, own);
      return await this.#write(order, own, watch);
    } finally {
      watch.end();
      free();
    }
  }

  /** @throws `agent_not_running`; `directory_not_found`; `agent_not_ready` with the screen */
  async #checkReady({ surface, agent, force }: PromptOrder, call: Call): Promise<void> {
    const status = this.#parts.agents.statusOf(surface.id);
    if (agent !== undefined && status.agent !== agent) {
      const facts = { surface_id: surface.id, agent: status.agent, expected: agent };
      return fail('agent_not_running', `The agent in this terminal is not ${agent}`, facts);
    }
    if (!force) await this.#checkDirectory(surface, call);
    const stuck = this.#stuck.get(surface.id);
    if (force || (status.state !== 'blocked' && stuck === undefined)) return;
    const now = await this.#look(surface, stuck?.fingerprint ?? null, call);
    if (status.state === 'blocked') this.#notReady(surface, now.text, 'The agent waits for an answer', {});
    if (stuck !== undefined && !hasLeft(stuck.marker, stuck.look, now)) {
      const facts = { client_message_id: stuck.id };
      this.#notReady(surface, now.text, 'An earlier prompt stands in the composer, not submitted', facts);
    }
    this.#stuck.delete(surface.id);
  }

  /** An agent whose folder was deleted would work nowhere, or find its way to another (bug case F6). */
  async #checkDirectory(surface: SurfaceRecord, call: Call): Promise<void> {
    const facts = { surface_id: surface.id };
    const { terminals } = this.#parts;
    const { pid, path, exists } = await this.#patiently(call, () =>
      terminals.ask('terminal.directory', surface, facts, call),
    );
    if (exists !== false) return;
    fail('directory_not_found', `The program works in ${path}, which was deleted`, { ...facts, cwd: path, pid });
  }

  async #write(order: PromptOrder, call: Call, watch: ScreenWatch): Promise<PromptRecord> {
    const { agents, book } = this.#parts;
    const { id, surface, text } = order;
    const before = await this.#look(surface, fingerprintOf(text), call);
    const { agent, state } = agents.statusOf(surface.id);
    const record = book.accept({ id, surface, text, agent, wasWorking: state === 'working' });
    try {
      const bracketed = await this.#paste(order, call);
      book.save(reach(record, 'written', this.#parts.now()));
      return await this.#submit(order, { before, bracketed, known: agent !== null }, call, watch);
    } catch (error) {
      return this.#failed(id, error);
    }
  }

  /** Enter, once the paste has been taken in, and again if nothing came of it. */
  async #submit(
    { id, surface, text, force }: PromptOrder,
    { before, bracketed, known }: { readonly before: Look; readonly bracketed: boolean; readonly known: boolean },
    call: Call,
    watch: ScreenWatch,
  ): Promise<PromptRecord> {
    const { agents, now } = this.#parts;
    const fingerprint = fingerprintOf(text);
    const rules = { known, bracketed, recognisable: fingerprint !== null, force };
    let machine = promptMachine(rules, before, now());
    for (;;) {
      const look = await this.#look(surface, fingerprint, call);
      const next = stepPrompt(machine, { at: now(), look, state: agents.statusOf(surface.id).state });
      machine = next.machine;
      if (isSeen(machine)) this.#advance(id, (record) => reach(record, 'seen_in_composer', now()));
      if (next.step.do === 'look') await watch.changed(next.step.ms);
      else if (next.step.do === 'enter') await this.#enter(id, surface, call);
      else
        return this.#end(id, surface, next.step.end, {
          fingerprint,
          marker: known || bracketed ? machine.marker : null,
          look,
        });
    }
  }

  /** @returns whether the program knows that it was a paste */
  async #paste({ id, surface, text }: PromptOrder, call: Call): Promise<boolean> {
    const params = { surface_id: surface.id, text, paste: true };
    const once = { ...call, requestId: `prompt ${id} text` };
    return (await this.#parts.terminals.ask('terminal.send_text', surface, params, once)).bracketed;
  }

  async #enter(id: string, surface: SurfaceRecord, call: Call): Promise<void> {
    const { enters } = this.#advance(id, (record) => ({ ...record, enters: record.enters + 1 }));
    const once = { ...call, requestId: `prompt ${id} enter ${enters}` };
    await this.#parts.terminals.ask('terminal.send_key', surface, { surface_id: surface.id, key: 'enter' }, once);
  }

  #end(
    id: string,
    surface: SurfaceRecord,
    end: PromptEnd,
    last: Omit<Stuck, 'id' | 'marker'> & Pick<PromptMachine, 'marker'>,
  ): PromptRecord {
    const { agents, now } = this.#parts;
    this.#noteStuck(
      surface.id,
      end === 'submitted' || last.marker === null ? undefined : { ...last, id, marker: last.marker },
    );
    if (end === 'submitted') {
      const status = agents.statusOf(surface.id);
      return this.#advance(id, (record) => follow(reach(record, 'submitted', now()), status, now()));
    }
    const ended = this.#advance(id, (record) => ({ ...record, outcome: 'not_submitted' }));
    if (end === 'no_change') return ended;
    const facts = { client_message_id: id, stage: stageOf(ended) };
    return this.#notReady(surface, last.look.text, 'A dialog opened before the prompt was submitted', facts);
  }

  #noteStuck(surfaceId: Id, stuck: Stuck | undefined): void {
    this.#stuck.delete(surfaceId);
    if (stuck === undefined) return;
    this.#stuck.set(surfaceId, stuck);
    const oldest = this.#stuck.size > STUCK_KEPT ? this.#stuck.keys().next().value : undefined;
    if (oldest !== undefined) this.#stuck.delete(oldest);
  }

  #notReady(surface: SurfaceRecord, screen: string, message: string, more: object): never {
    const { agent, question } = this.#parts.agents.statusOf(surface.id);
    return fail('agent_not_ready', message, { surface_id: surface.id, agent, question, screen, ...more });
  }

  /** Something went wrong on the way; the receipt says how far it had come. */
  #failed(id: string, error: unknown): PromptRecord {
    const { book, now } = this.#parts;
    const record = book.find(id);
    // At a stop all stays as it is: the next start knows as much as we do.
    if (this.#stopping.signal.aborted || record === undefined || record.outcome !== 'pending') throw error;
    const code = codeOf(error) ?? '';
    if (stageOf(record) === 'accepted' && NOTHING_TYPED.has(code)) {
      book.remove(id);
      throw error;
    }
    // A program that ends at our Enter has taken it.
    if (record.enters > 0 && code === 'not_found') return book.save(reach(record, 'submitted', now()));
    if (stageOf(record) !== 'accepted' && record.enters === 0) {
      book.save({ ...record, outcome: 'not_submitted' });
      throw error;
    }
    book.save({ ...record, outcome: 'unknown' });
    throw new SwitchyardError(
      'outcome_unknown',
      'Whether the prompt was typed is not known',
      { cause: code },
      { cause: error },
    );
  }

  #advance(id: string, change: (record: PromptRecord) => PromptRecord): PromptRecord {
    const record = this.#parts.book.find(id);
    if (record === undefined) return fail('internal_error', 'A prompt without its receipt');
    const next = change(record);
    return next === record ? record : this.#parts.book.save(next);
  }

  /** The screen now. */
  async #look(surface: SurfaceRecord, fingerprint: Fingerprint, call: Call): Promise<Look> {
    const { terminals } = this.#parts;
    const { text } = await this.#patiently(call, () =>
      terminals.ask('terminal.read_text', surface, visible(surface), call),
    );
    return lookAt(text, fingerprint);
  }

  /** Asks what changes nothing; a pty-host that is away for a moment is waited for. */
  async #patiently<T>(call: Call, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (codeOf(error) !== 'service_unavailable' || performance.now() >= call.deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      }
    }
  }
}

const visible = ({ id }: SurfaceRecord) => ({ surface_id: id, scrollback: false });
