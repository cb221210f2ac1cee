import {
  type ForegroundProcess,
  type ProgramReport,
  SampleCadence,
  type ScreenSample,
  type Verdict,
} from '@switchyard/agents';
import { isAnimated } from './domain/animation.js';

/** What a terminal looks like now. */
export interface TerminalLook {
  readonly sample: ScreenSample;
  /** The program is in the middle of a frame. */
  readonly painting: boolean;
  /** What the program itself reports. */
  readonly program: ProgramReport | null;
}

/** What is told of a look. */
export interface Sighting {
  readonly sample: ScreenSample;
  /** null: nobody judged the screen, only the rest is news. */
  readonly verdict: Verdict | null;
  readonly program: ProgramReport | null;
}

/** What is to be done after a look. */
export interface Plan {
  readonly look: TerminalLook;
  readonly evaluate: boolean;
}

/** A frame that takes longer than this is not waited for. */
const FRAME_MS = 1000;
const FRAME_LOOK_MS = 40;
/** A terminal without an agent is held against the screens of all agents this often while it prints. */
const STRANGER_MS = 1000;
/** A program may end a while after it has printed its last: an agent's terminal is looked at again so long after a look. */
const AFTER_MS = [1000, 5000];
/**
 * Frames in which nothing but a spinner or a clock has moved since the last judgement are judged after these times, the
 * last over and over: their verdicts are the same.
 */
const ANIMATION_MS = [500, 1000, 2000] as const;
/** A detector or workspace-service that did not answer is asked again after this time. */
const RETRY_MS = 1000;

/**
 * When one terminal is looked at, and what of it is news. Pure: the clock is given, nothing is sent from here. An agent is
 * looked at whenever its screen has settled, or every quarter of a second while it does not; a shell or an unknown program
 * when another comes to the foreground, and else seldom.
 */
export class SampleWatch {
  readonly #cadence = new SampleCadence();
  readonly #detect: boolean;
  /** A look that has to come by then, whatever the cadence says. */
  #notLater: number | null = null;
  #frameSince: number | null = null;
  #judged: ScreenSample | undefined;
  #judgedAt = Number.NEGATIVE_INFINITY;
  /** Frames of one animation judged in a row. */
  #animated = 0;
  #agentThere = false;
  /** Of the last look or change: looks that no change causes are counted from here. */
  #quietFrom = 0;
  /** Looks since something changed that no change has caused. */
  #afterLooks = 0;
  #told: Sighting | undefined;

  /** @param detect whether screens are judged at all */
  constructor(detect: boolean) {
    this.#detect = detect;
  }

  /** When the next look is due; null: not before something changes. */
  get dueAt(): number | null {
    const after = this.#agentThere ? AFTER_MS[this.#afterLooks] : undefined;
    const due = [this.#cadence.dueAt, this.#notLater, after === undefined ? null : this.#quietFrom + after];
    return due.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first));
  }

  /** Something was printed. */
  changed(now: number): void {
    this.#afterLooks = 0;
    this.#quietFrom = now;
    this.#cadence.changed(now);
  }

  /** The program has reported something of itself: that does not wait for the screen to settle. */
  reported(now: number): void {
    this.#notLater = now;
  }

  /** Whoever was told has forgotten. */
  forget(now: number): void {
    this.#judged = undefined;
    this.#told = undefined;
    this.changed(now);
  }

  /** @param look undefined: the terminal cannot be looked at, and will change before it can @returns undefined: nothing to do */
  plan(look: TerminalLook | undefined, now: number): Plan | undefined {
    this.#notLater = null;
    this.#quietFrom = now;
    if (this.#cadence.dueAt === null) this.#afterLooks++;
    // Told at once; the screen that goes with it is judged when it has settled, and no detector can hold up the report.
    if (look !== undefined && this.#isReportNews(look.program)) return { look, evaluate: false };
    if (look !== undefined && this.#inFrame(look, now)) return undefined;
    this.#cadence.sampled();
    if (look === undefined) return undefined;
    const evaluate = this.#detect && this.#isOtherLook(look.sample) && !this.#isLater(look.sample, now);
    if (evaluate) {
      const moves = this.#judged !== undefined && isAnimation(this.#judged, look.sample);
      this.#animated = moves ? this.#animated + 1 : 0;
      this.#judged = look.sample;
      this.#judgedAt = now;
    }
    const news = evaluate || this.#isNewsToTell({ ...look, verdict: null });
    return news || this.#isSecretWork({ ...look, verdict: null }) ? { look, evaluate } : undefined;
  }

  /** @returns what is to be told of it; undefined: it is known already */
  judged({ look, evaluate }: Plan, verdict: Verdict | null): Sighting | undefined {
    if (evaluate && verdict !== null) this.#agentThere = verdict.agent !== null;
    const sighting: Sighting = { sample: look.sample, program: look.program, verdict };
    // What was judged before still holds when only the rest is told.
    const known = { ...sighting, verdict: verdict ?? this.#told?.verdict ?? null };
    const secret = this.#isSecretWork(known);
    if (!secret && !this.#isNewsToTell(sighting)) return undefined;
    this.#told = known;
    return secret ? known : sighting;
  }

  /** No detector answered: the screen is judged again after a while. */
  unjudged(now: number): void {
    this.#judged = undefined;
    this.#notLater = now + RETRY_MS;
  }

  /** Nobody took what was to be told: everything is told again after a while. */
  untold(now: number): void {
    this.unjudged(now);
    this.#told = undefined;
  }

  /** Half a frame is not looked at. */
  #inFrame({ painting }: TerminalLook, now: number): boolean {
    if (!painting) {
      this.#frameSince = null;
      return false;
    }
    this.#frameSince ??= now;
    if (now - this.#frameSince >= FRAME_MS) {
      this.#frameSince = null;
      return false;
    }
    this.#notLater = now + FRAME_LOOK_MS;
    this.#cadence.sampled();
    return true;
  }

  #isOtherLook(sample: ScreenSample): boolean {
    return this.#judged === undefined || !isSameLook(this.#judged, sample);
  }

  /** Nothing hints at an agent, and nothing did the last time; or one is there and nothing has moved but its spinner. */
  #isLater(sample: ScreenSample, now: number): boolean {
    if (this.#judged === undefined || !isSameProcess(this.#judged.foreground, sample.foreground)) return false;
    const watched = this.#agentThere || sample.foreground?.hint != null;
    if (watched && !isAnimation(this.#judged, sample)) return false;
    const pause = ANIMATION_MS[Math.min(this.#animated, ANIMATION_MS.length - 1)] ?? 0;
    const at = this.#judgedAt + (watched ? pause : STRANGER_MS);
    if (now >= at) return false;
    this.#notLater = at;
    return true;
  }

  /** Some programs work without a sign of it: whoever waits for the end of their turn waits for them to stop printing. */
  #isSecretWork({ sample, verdict }: Sighting): boolean {
    const told = this.#told;
    const known = verdict ?? told?.verdict ?? null;
    if (known === null || told === undefined || told.sample.rev === sample.rev) return false;
    return known.unmarked && known.state === 'idle' && !known.certain;
  }

  #isReportNews(program: ProgramReport | null): boolean {
    return !isSameReport(this.#told?.program ?? null, program);
  }

  #isNewsToTell({ sample, verdict, program }: Sighting): boolean {
    const told = this.#told;
    if (told === undefined) return true;
    if (!isSameProcess(told.sample.foreground, sample.foreground) || this.#isReportNews(program)) return true;
    return verdict !== null && !isSameVerdict(told.verdict, verdict);
  }
}

function isSameLook(a: ScreenSample, b: ScreenSample): boolean {
  return (
    isSameFrame(a, b) &&
    a.title === b.title &&
    a.progress?.value === b.progress?.value &&
    isSameProcess(a.foreground, b.foreground) &&
    a.lines.every((line, row) => line === b.lines[row])
  );
}

function isAnimation(a: ScreenSample, b: ScreenSample): boolean {
  const lines = isSameFrame(a, b) && a.lines.every((line, row) => isAnimated(line, b.lines[row] ?? ''));
  return lines && isAnimated(a.title, b.title);
}

function isSameFrame(a: ScreenSample, b: ScreenSample): boolean {
  return (
    a.alternate === b.alternate &&
    a.cols === b.cols &&
    a.cursor.row === b.cursor.row &&
    a.cursor.col === b.cursor.col &&
    a.cursor.visible === b.cursor.visible &&
    a.progress?.state === b.progress?.state &&
    a.lines.length === b.lines.length
  );
}

/** A program that starts another in its place, or renames itself, is another. */
function isSameProcess(a: ForegroundProcess | null, b: ForegroundProcess | null): boolean {
  if (a === null || b === null) return a === b;
  const same = a.pid === b.pid && a.start_time === b.start_time && a.hint === b.hint;
  return same && a.names.length === b.names.length && a.names.every((name, i) => name === b.names[i]);
}

function isSameReport(a: ProgramReport | null, b: ProgramReport | null): boolean {
  return a?.state === b?.state && a?.kind === b?.kind && a?.msg === b?.msg && (a === null) === (b === null);
}

/** Evidence quotes the screen, of which every frame is another. */
function isSameVerdict(a: Verdict | null, b: Verdict): boolean {
  const facts = ({ rev: _, evidence: __, ...rest }: Verdict) => JSON.stringify(rest);
  return a !== null && facts(a) === facts(b);
}
