import { AgentTracker, type ForegroundProcess, processNames } from '@switchyard/agents';
import { type Engine, evaluate } from '@switchyard/detector/engine';
import { SampleWatch } from '@switchyard/pty-host/sample-watch';
import { HeadlessScreen, sampleScreen } from '@switchyard/pty-host/screen';
import type { Foreground, Recording } from './recording.js';

export type SeenState = 'working' | 'idle' | 'blocked' | null;

/** From when on a state was known, seconds. */
export interface Seen {
  readonly t: number;
  readonly state: SeenState;
  /** Who said so, and by what rule. */
  readonly why: string;
}

/** As live. */
const SCROLLBACK_LINES = 1000;
/** The recorder looked at the foreground this often: a change was somewhere in the time before it was seen. */
const FOREGROUND_EVERY_S = 0.5;

/**
 * Plays a recording through screen, sampling, engine and tracker as a yard would, on a clock of its own.
 * @returns what was known when, beginning at 0
 */
export function replay(recording: Recording, engines: readonly Engine[]): Seen[] {
  const stage = new Stage(recording, engines);
  for (const event of recording.events) {
    stage.until(event.t);
    if (event.kind === 'o') stage.print(event.t, event.data);
    else stage.resize(event.t, event.data);
  }
  stage.until(recording.labels.duration);
  return stage.seen;
}

class Stage {
  readonly seen: Seen[] = [{ t: 0, state: null, why: 'nothing is known' }];
  readonly #recording: Recording;
  readonly #engines: readonly Engine[];
  readonly #screen: HeadlessScreen;
  readonly #watch = new SampleWatch(true);
  readonly #tracker = new AgentTracker();
  #now = 0;
  #reports = 0;

  constructor(recording: Recording, engines: readonly Engine[]) {
    this.#recording = recording;
    this.#engines = engines;
    const ignore = () => undefined;
    this.#screen = new HeadlessScreen({
      cols: recording.cols,
      rows: recording.rows,
      scrollback: SCROLLBACK_LINES,
      events: { title: ignore, cwd: ignore, bell: ignore, reply: ignore },
      now: () => this.#now,
    });
  }

  print(t: number, data: string): void {
    this.#now = t * 1000;
    this.#screen.write(Buffer.from(data));
    this.#watch.changed(this.#now);
    const { revision } = this.#screen.voice.records;
    if (revision !== this.#reports) this.#watch.reported(this.#now);
    this.#reports = revision;
  }

  resize(t: number, size: string): void {
    const [cols = 80, rows = 24] = size.split('x').map(Number);
    this.#now = t * 1000;
    this.#screen.resize(cols, rows);
    this.#watch.changed(this.#now);
  }

  /** Everything that falls due before a time. */
  until(t: number): void {
    for (;;) {
      const due = [this.#watch.dueAt, this.#tracker.dueAt].filter((at) => at !== null);
      const next = due.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...due);
      if (next > t * 1000) return;
      this.#now = Math.max(this.#now, next);
      if (this.#watch.dueAt === next) this.#look();
      else this.#tracker.tick(this.#now);
      this.#note();
    }
  }

  #look(): void {
    const foreground = foregroundAt(this.#recording.labels.foreground, this.#now / 1000);
    const sample = sampleScreen(this.#screen, { surface_id: '', offset: 0, at: this.#now, foreground });
    const { root } = this.#screen.voice.records;
    const program = root === undefined ? null : { state: root.state, kind: root.kind, msg: root.msg, at: root.at };
    const plan = this.#watch.plan({ sample, painting: this.#screen.painting, program }, this.#now);
    if (plan === undefined) return;
    const told = this.#watch.judged(plan, plan.evaluate ? evaluate(this.#engines, sample) : null);
    if (told === undefined) return;
    this.#tracker.observe({ at: this.#now, rev: sample.rev, foreground, verdict: told.verdict, program: told.program });
  }

  #note(): void {
    const { state, source, evidence } = this.#tracker.status;
    if (this.seen.at(-1)?.state === state) return;
    const proof = evidence.find(({ rule }) => rule !== null) ?? evidence.at(-1);
    this.seen.push({ t: this.#now / 1000, state, why: `${source}: ${proof?.rule ?? ''} ${proof?.text ?? ''}` });
  }
}

/** What the process table would have said. */
function foregroundAt(changes: readonly Foreground[], t: number): ForegroundProcess | null {
  const index = changes.findLastIndex((change) => change.t - FOREGROUND_EVERY_S <= t);
  const change = changes[index];
  if (change === undefined) return null;
  // A program may rename itself; the table shows the same process then.
  const first = changes.findIndex((_, i) => i <= index && changes.slice(i, index + 1).every((c) => isSame(c, change)));
  return {
    pid: first + 1,
    pgid: first + 1,
    start_time: first,
    names: processNames(change),
    argv: [...change.argv],
    hint: null,
  };
}

const isSame = (a: Foreground, b: Foreground) =>
  a.argv.join(' ') === b.argv.join(' ') || (a.comm === b.comm && a.argv[0] === b.argv[0]);
