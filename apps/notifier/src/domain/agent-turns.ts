import type { AgentChange, Exit } from './words.js';

/**
 * When a person is told about an agent: once for each question and once for the end of a turn, whatever flickers on the
 * screen in between (bug case D14). Pure: every function gives the next facts, which are plain JSON.
 */
export interface Turns {
  /** Counts the turns that were seen; 0: none yet. */
  readonly turn: number;
  readonly phase: 'none' | 'working' | 'blocked' | 'idle';
  readonly agent: string | null;
  /** When the work of this turn began, Unix milliseconds. */
  readonly since: number;
  /** It was only seen on the screen that it worked. */
  readonly inferred: boolean;
  /** The end of the turn was told, or will be, or is not worth it. */
  readonly over: boolean;
  /** The last question that was told, and when it was gone. */
  readonly asked: { readonly key: string; readonly goneAt: number | null } | null;
  /** What the program itself has asked its terminal to tell in this turn. */
  readonly said: { readonly text: string; readonly at: number } | null;
  /** What will be told unless something else happens first. */
  readonly pending: Pending | null;
}

interface Pending {
  readonly reason: 'agent_blocked' | 'agent_finished' | 'agent_failed' | 'terminal';
  readonly key: string;
  readonly agent: string | null;
  readonly question: string | null;
  readonly excerpt: string;
  /** The program has ended, not only its turn. */
  readonly ended: boolean;
  readonly dueAt: number;
}

/** Something to tell a person about an agent. */
export type AgentNews = Omit<Pending, 'key' | 'dueAt'>;

export interface Step {
  readonly turns: Turns;
  /** The question that was told is answered. */
  readonly settled: boolean;
}

export const NO_TURNS: Turns = {
  turn: 0,
  phase: 'none',
  agent: null,
  since: 0,
  inferred: true,
  over: false,
  asked: null,
  said: null,
  pending: null,
};

/** An agent that pauses between two steps looks idle for a moment. */
export const FINISH_HOLD_MS = 1500;
/** A dialog that answers itself is gone by then. */
export const ASK_HOLD_MS = 500;
/** Work that was only seen on the screen and was shorter is a repaint, not a turn. */
export const BRIEF_WORK_MS = 1000;
/** The same question so soon after it was gone has flickered. */
export const SAME_QUESTION_MS = 2000;
/** What a program asks its terminal to tell comes together with a change of its state. */
export const SAID_HOLD_MS = 3000;
/** A text that came longer ago is about something else. */
const SAID_FRESH_MS = 10_000;

/** The state of the agent has changed. @param at Unix milliseconds */
export function changed(turns: Turns, change: AgentChange, at: number): Step {
  const now = { ...turns, agent: change.agent ?? turns.agent };
  switch (change.state) {
    case 'working':
      return works(now, change, at);
    case 'blocked':
      return asks(now, change, at);
    case 'idle':
      return stops(now, change, at);
    case null:
      return leaves(now, at);
  }
}

/** The program of the surface has ended. */
export function exited(turns: Turns, exit: Pick<Exit, 'exit_code' | 'signal'>, at: number): Step {
  const gone = { ...turns, phase: 'none', over: true } as const;
  const active = turns.phase === 'working' || turns.phase === 'blocked' || turns.pending?.ended === true;
  if (!active) return { turns: gone, settled: false };
  const failed = exit.exit_code !== 0;
  const excerpt = exit.signal !== null ? `ended by ${exit.signal}` : `exit code ${exit.exit_code ?? 'not known'}`;
  const end = failed ? ending(turns, 'agent_failed', excerpt, at) : ending(turns, 'agent_finished', '', at);
  return { turns: { ...gone, pending: { ...end, ended: true } }, settled: turns.phase === 'blocked' };
}

/** Its program asks the terminal to tell something. It belongs to what the state says, if that says anything soon. */
export function said(turns: Turns, text: string, at: number): Turns {
  const { phase, pending } = turns;
  const now = { ...turns, said: { text, at } };
  if (pending !== null) return pending.excerpt === '' ? { ...now, pending: { ...pending, excerpt: text } } : now;
  const isTold = phase === 'blocked' || (phase === 'idle' && turns.turn > 0) || turns.said !== null;
  if (isTold) return now;
  const dueAt = phase === 'working' ? at + SAID_HOLD_MS : at;
  return { ...now, pending: pendingOf(turns, { reason: 'terminal', key: 'said', excerpt: text, dueAt }) };
}

/** What is to be told now, if anything. */
export function due(turns: Turns, at: number): { readonly turns: Turns; readonly news: AgentNews | null } {
  const { pending } = turns;
  if (pending === null || pending.dueAt > at) return { turns, news: null };
  const { key, dueAt: _, ...news } = pending;
  const asked = pending.reason === 'agent_blocked' ? { key, goneAt: null } : turns.asked;
  return { turns: { ...turns, pending: null, asked }, news };
}

function works(turns: Turns, { source }: AgentChange, at: number): Step {
  const { phase, pending } = turns;
  const inferred = turns.inferred && source === 'inferred';
  if (phase === 'working') return { turns: { ...turns, inferred }, settled: false };
  if (phase === 'blocked')
    return { turns: unasked({ ...turns, phase: 'working', inferred, pending: null }, at), settled: true };
  // The end of it was not told yet: it was none.
  if (pending !== null && pending.reason !== 'terminal') {
    return { turns: { ...turns, phase: 'working', inferred, over: false, pending: null }, settled: false };
  }
  const begun = { turn: turns.turn + 1, phase: 'working', since: at, inferred: source === 'inferred' } as const;
  return { turns: { ...turns, ...begun, over: false, asked: null, said: null, pending: null }, settled: false };
}

function asks(turns: Turns, { question }: AgentChange, at: number): Step {
  const { phase, pending } = turns;
  const [kind, excerpt] = [question?.kind ?? 'unknown', question?.excerpt.trim() ?? ''];
  // Hooks remind of a turn that has ended with the same word as for a question.
  if (turns.over && kind === 'unknown' && excerpt === '') return { turns, settled: false };
  const now = { ...turns, phase: 'blocked' } as const;
  const key = `${kind} ${excerpt}`;
  const isWaiting = pending?.reason === 'agent_blocked';
  if (phase === 'blocked' && !isWaiting) return { turns: now, settled: false };
  if (isWaiting) return { turns: { ...now, pending: { ...pending, key, question: kind, excerpt } }, settled: false };
  const flickered = turns.asked?.key === key && at - (turns.asked.goneAt ?? at) < SAME_QUESTION_MS;
  if (flickered) return { turns: { ...now, pending: null }, settled: false };
  const next = { reason: 'agent_blocked', key, question: kind, excerpt, dueAt: at + ASK_HOLD_MS } as const;
  return {
    turns: { ...now, pending: pendingOf(turns, { ...next, excerpt: excerpt || freshly(turns, at) }) },
    settled: false,
  };
}

function stops(turns: Turns, { source, failed }: AgentChange, at: number): Step {
  const { phase } = turns;
  const now = { ...turns, phase: 'idle' } as const;
  if (phase === 'idle' || phase === 'none') return { turns: now, settled: false };
  const over = { ...now, over: true, pending: null };
  if (failed) {
    return {
      turns: { ...over, pending: ending(turns, 'agent_failed', '', at + FINISH_HOLD_MS) },
      settled: phase === 'blocked',
    };
  }
  // Whoever answered sees that it went no further.
  if (phase === 'blocked') return { turns: unasked(over, at), settled: true };
  const isBrief = turns.inferred && source === 'inferred' && at - turns.since < BRIEF_WORK_MS;
  if (isBrief) return { turns: over, settled: false };
  return { turns: { ...over, pending: ending(turns, 'agent_finished', '', at + FINISH_HOLD_MS) }, settled: false };
}

function leaves(turns: Turns, at: number): Step {
  const { phase } = turns;
  const now = { ...turns, phase: 'none', agent: null, over: true } as const;
  if (phase === 'blocked') return { turns: unasked({ ...now, pending: null }, at), settled: true };
  if (phase !== 'working') return { turns: now, settled: false };
  const end = ending(turns, 'agent_finished', '', at + FINISH_HOLD_MS);
  return { turns: { ...now, pending: { ...end, ended: true } }, settled: false };
}

function unasked(turns: Turns, at: number): Turns {
  return turns.asked === null ? turns : { ...turns, asked: { ...turns.asked, goneAt: at } };
}

function ending(turns: Turns, reason: 'agent_finished' | 'agent_failed', excerpt: string, dueAt: number): Pending {
  return pendingOf(turns, { reason, key: reason, excerpt: excerpt || freshly(turns, dueAt), dueAt });
}

function freshly({ said: last }: Turns, at: number): string {
  return last !== null && at - last.at < SAID_FRESH_MS ? last.text : '';
}

type Given = Pick<Pending, 'reason' | 'key' | 'excerpt' | 'dueAt'> & Partial<Pending>;
const pendingOf = ({ agent }: Turns, given: Given): Pending => ({ agent, question: null, ended: false, ...given });
