import { randomOf } from '../fuzz/random.mjs';

/** `continue` is the end of a `stop`. A further kind is added here, in {@link TARGETS} and in `saboteur.ts`. */
export type ActionKind = 'kill' | 'stop' | 'continue' | 'restart' | 'upgrade';

export interface Action {
  /** Milliseconds after the beginning. */
  readonly at: number;
  readonly kind: ActionKind;
  /** Name of a process as in `yard.status`, or `supervisor`; `yard` of an upgrade. */
  readonly target: string;
}

/** The processes of a yard with two pty-hosts. */
const SERVICES = [
  'gateway',
  'workspace-service',
  'pty-host',
  'pty-host-2',
  'detector',
  'git-service',
  'notifier',
  'bus',
] as const;

/**
 * What is done to whom. The keeper has the terminals: its end is theirs, by design, but it may be suspended. The end of
 * the supervisor in order is the end of the yard, so that is killed, but not restarted.
 */
const TARGETS: Readonly<Record<Exclude<ActionKind, 'continue'>, readonly string[]>> = {
  kill: [...SERVICES, 'supervisor'],
  stop: [...SERVICES, 'supervisor', 'keeper'],
  restart: SERVICES,
  upgrade: ['yard'],
};

/** Between two actions: often the second meets a yard that is still busy with the first, sometimes one that is whole. */
const PAUSE_MS = { least: 300, most: 6_500 };
/** How long a process is suspended: mostly a moment, now and then longer than any deadline of a request. */
const SHORT_STOP_MS = { least: 200, most: 4_000 };
const LONG_STOP_MS = { least: 10_000, most: 20_000 };
const LONG_SHARE = 0.25;
/** The last stop ends, and restarts begin, before the end of the run. */
const QUIET_END_MS = 5_000;

type Range = { readonly least: number; readonly most: number };

/**
 * What is done in a run: a deck of every action on every target is dealt, shuffled, again and again. So a short run has
 * had most of them, and no process is killed so often that the supervisor tries it only now and then.
 *
 * @param durationMs of the run
 * @param options.upgrades whether the whole yard is upgraded, too, once in each deck
 * @returns in order of time; the same for the same seed and duration, and with the same beginning for a longer one
 */
export function planOf(seed: number, durationMs: number, { upgrades = true } = {}): Action[] {
  const random = randomOf(seed);
  const within = ({ least, most }: Range) => least + random.below(most - least);
  const actions: Action[] = [];
  let deck: Action[] = [];
  for (let at = within(PAUSE_MS); at < durationMs - QUIET_END_MS; at += within(PAUSE_MS)) {
    if (deck.length === 0) deck = shuffled(fullDeck(upgrades), random.below);
    const { kind, target } = deck.pop() ?? { kind: 'kill', target: 'gateway' };
    actions.push({ at, kind, target });
    if (kind !== 'stop') continue;
    const until = at + within(random.chance(LONG_SHARE) ? LONG_STOP_MS : SHORT_STOP_MS);
    actions.push({ at: Math.min(until, Math.max(durationMs - QUIET_END_MS, at)), kind: 'continue', target });
  }
  return actions.sort((a, b) => a.at - b.at);
}

function fullDeck(upgrades: boolean): Action[] {
  const all = Object.entries(TARGETS).flatMap(([kind, targets]) =>
    targets.map((target) => ({ at: 0, kind: kind as ActionKind, target })),
  );
  return all.filter(({ kind }) => upgrades || kind !== 'upgrade');
}

function shuffled<T>(list: readonly T[], below: (limit: number) => number): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(below(left.length), 1));
}
