import { setTimeout as delay } from 'node:timers/promises';
import { ownVersion } from '@switchyard/service/version';
import { forgetLog, LogPool, listLogs } from '@switchyard/store/log';
import type { ControlGroups } from './control-groups.js';
import { KeeperFault } from './fault.js';
import { HANDOFF_FORMAT, type HandedProgram, type HandoffRecord } from './handoff/record.js';
import type { KeeperLog } from './logger.js';
import { ProcessTable } from './process-table.js';
import type { Program } from './program.js';
import type { KeeperEvent, KeeperResult, KeptTerminal } from './protocol.js';
import type { PtySource } from './pty-process.js';
import { endProcesses, type Graces, Session, survivors } from './session.js';
import { type Size, Terminal, type TerminalListener, type TerminalSettings } from './terminal.js';

export interface RegistryOptions extends TerminalSettings, Graces {
  /** Of all logs together. */
  readonly poolBytes: number;
  readonly log: KeeperLog;
  readonly groups: ControlGroups;
  /** The log of a surface has grown to this offset. */
  readonly onOutput: (surfaceId: string, offset: number) => void;
  /** Everything else that followers are told. */
  readonly onEvent: (surfaceId: string, event: KeeperEvent) => void;
}

/** The program is gone; its last output gets this long to reach the disk before a close goes on without it. */
const CLOSE_DRAIN_MS = 1500;

/** All terminals of the host, running and exited, until they are forgotten. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #table = new ProcessTable();
  readonly #terminals = new Map<string, Terminal>();
  readonly #pool: LogPool;
  readonly #sessions = new Map<string, Session>();
  readonly #closing = new Map<string, Promise<void>>();
  /** Terminals whose closing an earlier keeper of this process had begun. */
  readonly #interrupted: Terminal[] = [];
  #stopping = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#pool = new LogPool(options.poolBytes, () => [...this.#terminals.values()].map(({ pooled }) => pooled));
  }

  /** What a successor in this process needs to go on from this moment. */
  handoffRecord(): HandoffRecord {
    const terminals = [...this.#terminals.values()].map((terminal) =>
      terminal.hand(this.#sessions.get(terminal.surfaceId)?.known ?? [], this.#closing.has(terminal.surfaceId)),
    );
    return { format: HANDOFF_FORMAT, software: ownVersion(), terminals };
  }

  /** Why there can be no handoff at this moment; undefined when there can. */
  unsettled(): string | undefined {
    if (this.#stopping) return 'the keeper is stopping';
    for (const terminal of this.#terminals.values()) {
      // One that has ended without our having heard of it: its status would be lost with the thread that waits for it.
      const { process } = terminal;
      const ended = process !== null && (this.#table.find(process.pid)?.zombie ?? true);
      const why = ended ? 'a program has just ended' : terminal.unsettled;
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /**
   * Takes over the terminals of another keeper of this process, without touching them before {@link resume}.
   * @throws KeeperFault when they are not what was handed over
   */
  adopt({ terminals }: HandoffRecord, sourceOf: (program: HandedProgram) => PtySource): void {
    for (const handed of terminals) {
      const { surface_id, program } = handed;
      const terminal = this.#make(surface_id);
      const source = program === null ? noProgram : sourceOf(program);
      terminal.adopt(handed, source);
      this.#terminals.set(surface_id, terminal);
      if (program === null) continue;
      this.#sessions.set(surface_id, new Session(this.#table, program, surface_id, program.session));
      if (program.closing) this.#interrupted.push(terminal);
    }
  }

  /** What was adopted goes on, also the closing of terminals that was under way. */
  resume(): void {
    for (const terminal of this.#terminals.values()) terminal.resume();
    for (const terminal of this.#interrupted.splice(0)) void this.#end(terminal);
  }

  /**
   * Takes over the logs of an earlier keeper, but for those that were adopted. Terminals that it did not see end are
   * marked lost.
   */
  restore(): void {
    for (const surfaceId of listLogs(this.#options.logRoot)) {
      if (this.#terminals.has(surfaceId)) continue;
      const terminal = this.#make(surfaceId);
      if (!terminal.everStarted) {
        terminal.close();
        forgetLog(this.#options.logRoot, surfaceId);
        continue;
      }
      if (terminal.exit === null) terminal.markLost();
      this.#terminals.set(surfaceId, terminal);
    }
  }

  list(): KeptTerminal[] {
    return [...this.#terminals.values()].map((terminal) => terminal.describe());
  }

  /** @throws KeeperFault `directory_not_found`, `command_not_found`, `overloaded`, `service_unavailable` when it stops */
  async spawn(surfaceId: string, program: Program, size: Size): Promise<KeeperResult<'spawn'>> {
    const known = this.#terminals.get(surfaceId);
    if (known?.ending) await known.whenExited();
    if (known?.running) return spawned(known, true);
    if (this.#stopping) throw new KeeperFault('service_unavailable', 'The keeper is stopping.');
    const terminal = known ?? this.#make(surfaceId);
    try {
      terminal.start(program, size);
    } catch (error) {
      if (known === undefined) this.#remove(terminal);
      throw error;
    }
    this.#terminals.set(surfaceId, terminal);
    if (terminal.process !== null) {
      this.#options.groups.add(surfaceId, terminal.process.pid);
      this.#sessions.set(surfaceId, new Session(this.#table, terminal.process, surfaceId));
    }
    this.#options.onEvent(surfaceId, { ev: 'spawned', terminal: terminal.describe() });
    return spawned(terminal, false);
  }

  /** @throws KeeperFault `not_found`, `terminal_exited`, `input_overflow` */
  input(surfaceId: string, data: Buffer, inputId: string | undefined): KeeperResult<'input'> {
    return this.#get(surfaceId).input(data, inputId);
  }

  /** @throws KeeperFault `not_found`, `terminal_exited` */
  resize(surfaceId: string, size: Size): KeeperResult<'resize'> {
    const terminal = this.#get(surfaceId);
    const { offset } = terminal;
    if (!terminal.resize(size)) return { ...size, offset };
    const after = { ...size, offset: terminal.offset };
    this.#options.onEvent(surfaceId, { ev: 'resized', surface_id: surfaceId, ...after });
    return after;
  }

  /** Answers when everything of the session is gone. @throws KeeperFault `not_found` */
  async close(surfaceId: string, killSurvivors: boolean): Promise<KeeperResult<'close'>> {
    const terminal = this.#get(surfaceId);
    await this.#end(terminal);
    await this.#options.groups.settled(surfaceId);
    const group = this.#options.groups.members(surfaceId);
    let left = this.#sessions.get(surfaceId)?.survivors(group) ?? survivors(this.#table, surfaceId, group);
    if (killSurvivors) left = await endProcesses(this.#table, left, this.#options);
    return { exit: terminal.exit, survivors: left.map(({ pid, command }) => ({ pid, command })) };
  }

  /** @throws KeeperFault `invalid_state` while it runs */
  forget(surfaceId: string): KeeperResult<'forget'> {
    const terminal = this.#terminals.get(surfaceId);
    if (terminal === undefined) return { forgotten: false };
    if (terminal.running) throw new KeeperFault('invalid_state', 'The terminal is running; close it first.');
    this.#remove(terminal);
    this.#options.onEvent(surfaceId, { ev: 'forgotten', surface_id: surfaceId });
    return { forgotten: true };
  }

  ack(surfaceId: string, offset: number): KeeperResult<'ack'> {
    const terminal = this.#terminals.get(surfaceId);
    terminal?.ack(offset);
    return { known: terminal !== undefined };
  }

  /** Ends every program, all at once, and closes the logs, which stay. */
  async closeAll(): Promise<void> {
    this.#stopping = true;
    const terminals = [...this.#terminals.values()];
    await Promise.all(terminals.map((terminal) => this.#end(terminal)));
    for (const terminal of terminals) terminal.close();
    this.#options.groups.close();
  }

  #end(terminal: Terminal): Promise<void> {
    const { surfaceId } = terminal;
    const under = this.#closing.get(surfaceId);
    if (under !== undefined) return under;
    const ended = this.#endSession(terminal).finally(() => this.#closing.delete(surfaceId));
    this.#closing.set(surfaceId, ended);
    return ended;
  }

  async #endSession(terminal: Terminal): Promise<void> {
    if (!terminal.running) return;
    const exited = terminal.whenExited();
    if (!terminal.ending) await this.#sessions.get(terminal.surfaceId)?.end(this.#options);
    const giveUp = new AbortController();
    const tooLong = delay(CLOSE_DRAIN_MS, true, { signal: giveUp.signal }).catch(() => false);
    if (await Promise.race([exited.then(() => false), tooLong])) terminal.abandon();
    giveUp.abort();
  }

  #make(surfaceId: string): Terminal {
    const listener: TerminalListener = {
      output: (id, offset) => this.#options.onOutput(id, offset),
      grown: () => this.#pool.trim(),
      blocked: (id, reason) => this.#options.onEvent(id, { ev: 'blocked', surface_id: id, reason }),
      exited: (id, exit) => this.#options.onEvent(id, { ev: 'exit', surface_id: id, exit }),
    };
    return new Terminal(surfaceId, this.#options, listener, this.#options.log);
  }

  #remove(terminal: Terminal): void {
    const { surfaceId } = terminal;
    terminal.close();
    this.#terminals.delete(surfaceId);
    this.#sessions.delete(surfaceId);
    this.#options.groups.remove(surfaceId);
    forgetLog(this.#options.logRoot, surfaceId);
  }

  #get(surfaceId: string): Terminal {
    const terminal = this.#terminals.get(surfaceId);
    if (terminal === undefined) {
      throw new KeeperFault('not_found', 'There is no terminal for this surface.', { surface_id: surfaceId });
    }
    return terminal;
  }
}

const noProgram: PtySource = () => {
  throw new Error('a terminal without a program has no source');
};

function spawned(terminal: Terminal, existed: boolean): KeeperResult<'spawn'> {
  const { pid, tty, offset } = terminal.describe();
  return { pid, tty, offset, existed };
}
