import { AgentQuestion } from '../contract/agent-shapes.js';
import { FolderFacts } from '../contract/git-watch.js';
import { ListeningPort } from '../contract/metadata-shapes.js';
import { AgentState, AgentStateSource } from '../contract/shapes.js';
import { StatusRecord } from '../contract/status.js';
import { Exit } from '../contract/terminal.js';
import { SERVICES } from '../define.js';
import { type Static, Type } from '../schema.js';
import type { JournalEvent } from './journal.js';

/**
 * Events on the bus: marks that something changed. They may be merged, repeated or lost (a service that was away);
 * whoever depends on one also asks for the state when it (re)connects.
 */
const surface_id = Type.String();

export const busEvents = {
  'service.ready': Type.Object({
    service: Type.Enum([...SERVICES]),
    address: Type.String({ description: 'Which of its kind, e.g. `local-0` for the first pty-host of host `local`.' }),
    instance: Type.String({ description: 'Unique to this run of the process.' }),
    version: Type.String(),
  }),
  'service.stopped': Type.Object({
    service: Type.Enum([...SERVICES]),
    address: Type.String(),
    instance: Type.String(),
  }),
  /** At most one per surface and 50 ms. */
  'terminal.output': Type.Object({ surface_id, offset: Type.Integer(), rev: Type.Integer() }),
  'terminal.exited': Type.Object({ surface_id, exit: Exit }),
  'terminal.title_changed': Type.Object({ surface_id, title: Type.String() }),
  'terminal.cwd_changed': Type.Object({ surface_id, cwd: Type.String() }),
  /** A process of the terminal listens on another port, or has stopped to. */
  'terminal.ports_changed': Type.Object({ surface_id, ports: Type.Array(ListeningPort) }),
  /** What programs report of themselves (OSC 7501) has changed. At most one per surface and 50 ms. */
  'terminal.status_changed': Type.Object({
    surface_id,
    count: Type.Integer({ description: 'Records there are now.' }),
    root: Type.Union([StatusRecord, Type.Null()], { description: 'Of the program itself; the others are asked for.' }),
  }),
  /** What is known of the agent in a terminal has changed. */
  'agent.state_changed': Type.Object({
    surface_id,
    workspace_id: Type.String(),
    agent: Type.Union([Type.String(), Type.Null()]),
    state: Type.Union([AgentState, Type.Null()]),
    source: Type.Union([AgentStateSource, Type.Null()]),
    activity: Type.Enum(['working', 'idle', 'unknown']),
    question: Type.Union([AgentQuestion, Type.Null()]),
    since: Type.Number(),
    evidence: Type.Array(Type.String(), { description: 'What it is based on, a line each, cut short.' }),
  }),
  /** What is known of the repository that some folders are in has changed. */
  'git.changed': Type.Object({
    instance: Type.String({ description: 'Of the git-service, as in the answer to `git.watch`.' }),
    folders: Type.Array(Type.String()),
    ...FolderFacts,
  }),
  /** The journal has grown. Carries the new events unless they are many or large. */
  'journal.appended': Type.Object({
    journal: Type.String(),
    first: Type.Integer({ description: 'Number of the first new event; one above `last`: there is none.' }),
    last: Type.Integer({ description: 'Number of the newest event.' }),
    events: Type.Optional(Type.Array(Type.Unsafe<JournalEvent>({ type: 'object' }))),
  }),
  'surface.closed': Type.Object({ surface_id, workspace_id: Type.String() }),
  'surface.focused': Type.Object({ surface_id, workspace_id: Type.String() }),
  'workspace.closed': Type.Object({ workspace_id: Type.String() }),
} as const;

/** What processes on other machines tell: of themselves and of their terminals. The broker takes nothing else from them. */
export const HOST_EVENTS = [
  'service.ready',
  'service.stopped',
  'terminal.output',
  'terminal.exited',
  'terminal.title_changed',
  'terminal.cwd_changed',
  'terminal.ports_changed',
  'terminal.status_changed',
] as const satisfies readonly (keyof typeof busEvents)[];

export type BusEventName = keyof typeof busEvents;
export type BusEvent<E extends BusEventName> = Static<(typeof busEvents)[E]>;
