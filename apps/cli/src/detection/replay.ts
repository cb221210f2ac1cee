import { AgentTracker, type ForegroundProcess } from '@switchyard/agents';
import { type Engine, evaluate } from '@switchyard/detector/engine';
import { SampleWatch } from '@switchyard/pty-host/sample-watch';
import { HeadlessScreen, sampleScreen } from '@switchyard/pty-host/screen';
import type { Cast } from '../domain/cast.js';

export type SeenState = 'working' | 'idle' | 'blocked' | null;

/** What was played, and what is known of it besides the screen. */
export interface Scene extends Cast {
  /** How long to look, seconds from its start. */
  readonly duration: number;
  /** What the process table would have said at a time, in seconds; null: not known. */
  readonly foregroundAt: (t: number) => ForegroundProcess | null;
}

/** From when on an agent and its state were known, seconds. */
export interface Seen {
  readonly t: number;
  readonly state: SeenState;
  /** Id of the agent; null: none is known. */
  readonly agent: string | null;
  /** Who said so, and by what rule. */
  readonly why: string;
}

/** As live. */
const SCROLLBACK_LINES = 1000;

/**
 * Plays a recording through screen, sampling, engine and tracker as a yard would, on a clock of its own.
 * @returns what was known when, beginning at 0
 */
export function replay(scene: Scene, engines: readonly Engine[]): Seen[] {
  const stage = new Stage(scene, engines);
  for (const event of scene.events) {
    stage.until(event.t);
    if (event.kind === 'o') stage.print(event.t, event.data);
    else stage.resize(event.t, event.data);
  }
  stage.until(scene.duration);
  return stage.seen;
}

class Stage {
  readonly seen: Seen[] = [{ t: 0, state: null, agent: null, why: 'nothing is known' }];
  readonly #scene: Scene;
  readonly #engines: readonly Engine[];
  readonly #screen: HeadlessScreen;
  readonly #watch = new SampleWatch(true);
  readonly #tracker = new AgentTracker();
  #now = 0;
  #reports = 0;

  constructor(scene: Scene, engines: readonly Engine[]) {
    this.#scene = scene;
    this.#engines = engines;
    const ignore = () => undefined;
    this.#screen = new HeadlessScreen({
      cols: scene.cols,
      rows: scene.rows,
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
    const foreground = this.#scene.foregroundAt(this.#now / 1000);
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
    const { state, agent, source, evidence } = this.#tracker.status;
    const last = this.seen.at(-1);
    if (last?.state === state && last.agent === agent) return;
    const proof = evidence.find(({ rule }) => rule !== null) ?? evidence.at(-1);
    const why = source === null ? 'nothing is known' : `${source}: ${proof?.rule ?? ''} ${proof?.text ?? ''}`;
    this.seen.push({ t: this.#now / 1000, state, agent, why });
  }
}
