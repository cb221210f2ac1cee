import { type HookReport, refutedAt } from './hook-claim.js';
import { Inference, type Inferred, type SavedInference } from './inference.js';
import { type ForegroundProcess, sameProcess } from './sample.js';
import type { Activity, AgentState, Evidence, Question, Verdict } from './verdict.js';

/** Who said what the state is. The program itself is believed before hooks, hooks before the screen. */
export type StateSource = 'program' | 'hooks' | 'inferred';

/** What is known of the agent in one terminal. */
export interface AgentStatus {
  /** Id of the agent, e.g. `claude-code`; null: none is known. */
  readonly agent: string | null;
  readonly state: AgentState | null;
  /** null together with `state`. */
  readonly source: StateSource | null;
  readonly activity: Activity;
  readonly question: Question | null;
  /** When the state became what it is, milliseconds. */
  readonly since: number;
  readonly evidence: readonly Evidence[];
}

/** The root record of the program's own status reports (OSC 7501), as far as the state needs it. */
export interface ProgramReport {
  readonly state: 'idle' | 'working' | 'done' | 'blocked' | 'error';
  readonly kind: 'permission' | 'question' | 'auth' | null;
  readonly msg: string | null;
  /** When it was last said, milliseconds. */
  readonly at: number;
}

/** One look at a terminal. */
export interface Observation {
  readonly at: number;
  /** Of the screen; a look that is older than the last, by revision and by time, is dropped. */
  readonly rev: number;
  /** null: not known. */
  readonly foreground: ForegroundProcess | null;
  /** null: nobody judged the screen; what was known of it stays. */
  readonly verdict: Verdict | null;
  /** null: the program has said nothing, or has taken it back. */
  readonly program: ProgramReport | null;
}

/** Everything that a tracker knows, as JSON. */
export interface SavedTracker {
  readonly rev: number;
  /** Of the last look, milliseconds. */
  readonly at: number;
  readonly agent: string | null;
  readonly via: Verdict['recognized_via'];
  readonly process: ForegroundProcess | null;
  readonly program: ProgramReport | null;
  readonly claim: HookReport | null;
  readonly sequences: Readonly<Record<string, number>>;
  readonly inference: SavedInference;
  readonly absentSince: number | null;
  readonly status: AgentStatus;
}

/**
 * An agent that is only known from the screen (its process is behind tmux or ssh) is not gone when one screen does not
 * show it.
 */
const ABSENT_MS = 2000;
/** Reporters whose numbers are kept: more are not hooks. */
const MAX_REPORTERS = 64;

/** Of a terminal of which nothing was ever said. */
export const NO_STATUS: AgentStatus = {
  agent: null,
  state: null,
  source: null,
  activity: 'unknown',
  question: null,
  since: 0,
  evidence: [],
};

/** The state of the agent in one terminal, from everything that is said of it. Pure: the clock is given. */
export class AgentTracker {
  #rev = -1;
  #at = 0;
  #agent: string | null = null;
  #via: Verdict['recognized_via'] = null;
  #process: ForegroundProcess | null = null;
  #program: ProgramReport | null = null;
  #claim: HookReport | null = null;
  #sequences: Record<string, number> = {};
  #inference = new Inference();
  #absentSince: number | null = null;
  #status: AgentStatus = NO_STATUS;

  /** @param saved what {@link save} gave, to go on from there */
  constructor(saved?: SavedTracker) {
    if (saved === undefined) return;
    this.#rev = saved.rev;
    this.#at = saved.at;
    this.#agent = saved.agent;
    this.#via = saved.via;
    this.#process = saved.process;
    this.#program = saved.program;
    this.#claim = saved.claim;
    this.#sequences = { ...saved.sequences };
    this.#inference = new Inference(saved.inference);
    this.#absentSince = saved.absentSince;
    this.#status = saved.status;
  }

  get status(): AgentStatus {
    return this.#status;
  }

  /** When {@link tick} has to be called next, milliseconds; null: not before something happens. */
  get dueAt(): number | null {
    const refuted = this.#refutedAt();
    const absent = this.#absentSince === null ? null : this.#absentSince + ABSENT_MS;
    const due = [this.#inference.dueAt, refuted, absent].filter((at) => at !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  save(): SavedTracker {
    return {
      rev: this.#rev,
      at: this.#at,
      agent: this.#agent,
      via: this.#via,
      process: this.#process,
      program: this.#program,
      claim: this.#claim,
      sequences: { ...this.#sequences },
      inference: this.#inference.save(),
      absentSince: this.#absentSince,
      status: this.#status,
    };
  }

  /** The run of the agent that is recognised; null: none is, or its process is not known. */
  get process(): ForegroundProcess | null {
    return this.#agent === null ? null : this.#process;
  }

  /** A restarted pty-host may count the revisions of a screen from an earlier one on, and a clock may be set back. */
  isOld({ rev, at }: Pick<Observation, 'rev' | 'at'>): boolean {
    return rev < this.#rev && at <= this.#at;
  }

  /** Takes in a look at the terminal. @returns whether the status is another now */
  observe(look: Observation): boolean {
    if (this.isOld(look)) return false;
    this.#rev = look.rev;
    this.#at = look.at;
    this.#inference.tick(look.at);
    this.#meet(look);
    this.#program = look.program;
    if (look.verdict !== null && look.verdict.agent !== null) this.#inference.take(look.verdict, look.at);
    return this.#settle(look.at);
  }

  /** Takes in a report. @returns whether it counts; false: a newer one of the same reporter came before, or it is outranked */
  report(report: HookReport): boolean {
    const { reporter, sequence } = report;
    if (report.source === 'inferred' && this.#claim?.source === 'hooks') return false;
    const last = this.#sequences[reporter];
    if (sequence !== null && last !== undefined && sequence <= last) return false;
    if (sequence !== null) this.#remember(reporter, sequence);
    this.#claim = report;
    this.#settle(report.at);
    return true;
  }

  /** Forgets what hooks have reported; the screen and the program may speak again. @returns whether the status is another now */
  clear(at: number): boolean {
    this.#claim = null;
    this.#sequences = {};
    return this.#settle(at);
  }

  /** The program in the terminal has ended. @returns whether the status is another now */
  ended(at: number): boolean {
    this.#forget();
    // The next program gets a new screen.
    this.#rev = -1;
    return this.#settle(at);
  }

  /** Lets time pass. @returns whether the status is another now */
  tick(at: number): boolean {
    this.#inference.tick(at);
    if (this.#absentSince !== null && this.#absentSince + ABSENT_MS <= at) this.#forget();
    return this.#settle(at);
  }

  /** Who is there: another process or another agent begins anew, and nothing that was said of the last one stays. */
  #meet({ foreground, verdict, at }: Observation): void {
    const replaced = this.#process !== null && foreground !== null && !sameProcess(this.#process, foreground);
    if (replaced && this.#agent !== null) this.#forget();
    if (foreground !== null) this.#process = foreground;
    if (verdict === null) return;
    if (verdict.agent === null) {
      this.#miss(at);
      return;
    }
    if (this.#agent !== null && this.#agent !== verdict.agent) this.#forget();
    this.#agent = verdict.agent;
    this.#via = verdict.recognized_via;
    this.#process = foreground ?? this.#process;
    this.#absentSince = null;
  }

  /** The agent that was there is not seen any more. */
  #miss(at: number): void {
    if (this.#agent === null) return;
    if (this.#via !== 'screen') this.#forget();
    else this.#absentSince ??= at;
  }

  #forget(): void {
    this.#agent = null;
    this.#via = null;
    this.#process = null;
    this.#program = null;
    this.#claim = null;
    this.#sequences = {};
    this.#inference.forget();
    this.#absentSince = null;
  }

  #remember(reporter: string, sequence: number): void {
    delete this.#sequences[reporter];
    this.#sequences[reporter] = sequence;
    const [oldest] = Object.keys(this.#sequences);
    if (oldest !== undefined && Object.keys(this.#sequences).length > MAX_REPORTERS) delete this.#sequences[oldest];
  }

  #refutedAt(): number | null {
    if (this.#claim === null || this.#agent === null) return null;
    return refutedAt(this.#claim, this.#inference.now);
  }

  #settle(at: number): boolean {
    const refuted = this.#refutedAt();
    if (refuted !== null && refuted <= at) this.#claim = null;
    const next = this.#say();
    const before = this.#status;
    const since = next.state === before.state && next.agent === before.agent ? before.since : at;
    this.#status = { ...next, since };
    return !isSame(before, this.#status);
  }

  #say(): Omit<AgentStatus, 'since'> {
    const agent = this.#agent;
    const seen = this.#inference.now;
    // A report is no proof that the program is an agent.
    if (this.#program !== null && agent !== null) return { agent, ...byProgram(this.#program, seen) };
    if (this.#claim !== null) return { agent: agent ?? this.#claim.agent, ...byHooks(this.#claim, seen) };
    const { state, activity, question, evidence } = seen;
    return { agent, state, source: state === null ? null : 'inferred', activity, question, evidence };
  }
}

type Said = Omit<AgentStatus, 'agent' | 'since'>;

function byProgram({ state, kind, msg }: ProgramReport, seen: Inferred): Said {
  const evidence = [{ kind: 'program' as const, rule: null, text: `state=${state}` }, ...seen.evidence];
  if (state === 'blocked') {
    const asked = { kind: kind ?? seen.question?.kind ?? 'unknown', excerpt: msg ?? seen.question?.excerpt ?? '' };
    return { state: 'blocked', source: 'program', activity: seen.activity, question: asked, evidence };
  }
  const activity = state === 'working' ? 'working' : 'idle';
  return { state: activity, source: 'program', activity, question: null, evidence };
}

function byHooks({ state, source, question, reporter }: HookReport, seen: Inferred): Said {
  const evidence = [{ kind: 'hooks' as const, rule: null, text: `${reporter}: ${state}` }, ...seen.evidence];
  if (state !== 'blocked') return { state, source, activity: state, question: null, evidence };
  const asked = question ?? seen.question ?? { kind: 'unknown' as const, excerpt: '' };
  return { state, source, activity: seen.activity, question: asked, evidence };
}

function isSame(a: AgentStatus, b: AgentStatus): boolean {
  const question = a.question?.kind === b.question?.kind && a.question?.excerpt === b.question?.excerpt;
  return question && a.agent === b.agent && a.state === b.state && a.source === b.source && a.activity === b.activity;
}
