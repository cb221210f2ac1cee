import type { Score } from './score.js';

/** What the project promises (docs/agents.md). */
export const THRESHOLDS = {
  accuracy: 0.99,
  accuracyWithoutStatus: 0.98,
  falseBlocked: 0,
  delayP95Seconds: 0.5,
  blockedAsIdleSeconds: 1,
} as const;

export interface Summary {
  readonly recordings: number;
  /** Share of the time of the agents' recordings in which the right thing was said; unknown counts as wrong. */
  readonly accuracy: number;
  readonly unknown: number;
  readonly delayMedian: number;
  readonly delayP95: number;
  readonly falseBlocked: number;
  readonly falseWorking: number;
  readonly negativeHours: number;
  readonly blockedAsIdle: number;
}

export function summaryOf(scores: readonly Score[]): Summary {
  const agents = scores.filter(({ isAgent }) => isAgent);
  const negatives = scores.filter(({ isAgent }) => !isAgent);
  const delays = agents.flatMap((each) => each.delays.map(({ seconds }) => seconds)).sort((a, b) => a - b);
  const seconds = sumOf(agents, ({ seconds: length }) => length);
  return {
    recordings: scores.length,
    accuracy: seconds === 0 ? 1 : sumOf(agents, ({ right }) => right) / seconds,
    unknown: seconds === 0 ? 0 : sumOf(agents, ({ unknown }) => unknown) / seconds,
    delayMedian: quantile(delays, 0.5),
    delayP95: quantile(delays, 0.95),
    falseBlocked: sumOf(negatives, (each) => each.falseBlocked),
    falseWorking: sumOf(negatives, (each) => each.falseWorking),
    negativeHours: sumOf(negatives, ({ seconds: length }) => length) / 3600,
    blockedAsIdle: Math.max(0, ...scores.map((each) => each.blockedAsIdle)),
  };
}

/** @returns one sentence for each threshold that is missed */
export function misses(summary: Summary, withoutStatus: boolean): string[] {
  const wanted = withoutStatus ? THRESHOLDS.accuracyWithoutStatus : THRESHOLDS.accuracy;
  const { accuracy, falseBlocked, delayP95, blockedAsIdle } = summary;
  return [
    ...(accuracy < wanted ? [`accuracy ${percent(accuracy)} is below ${percent(wanted)}`] : []),
    ...(falseBlocked > THRESHOLDS.falseBlocked ? [`blocked was said ${falseBlocked} times of what is no agent`] : []),
    ...(delayP95 > THRESHOLDS.delayP95Seconds ? [`the delay of ${ms(delayP95)} is above 500 ms`] : []),
    ...(blockedAsIdle > THRESHOLDS.blockedAsIdleSeconds
      ? [`an open question was called idle for ${ms(blockedAsIdle)}`]
      : []),
  ];
}

/** The report for people; its last line sums up. */
export function reportOf(scores: readonly Score[], withoutStatus: boolean): string {
  const names = [...new Set(scores.map(({ agent }) => agent))].sort();
  const total = summaryOf(scores);
  const missed = misses(total, withoutStatus);
  return [
    header(),
    ...names.map((name) =>
      row(
        name,
        scores.filter(({ agent }) => agent === name),
      ),
    ),
    row('all', scores),
    '',
    ...confusionOf(scores),
    '',
    ...worstOf(scores),
    '',
    `${missed.length === 0 ? 'passed' : `FAILED: ${missed.join('; ')}`} (${lineOf(total)})`,
  ].join('\n');
}

const COLUMNS = [12, 6, 9, 9, 9, 9, 9, 12, 12];
const line = (cells: readonly string[]) =>
  cells
    .map((cell, i) => cell.padEnd(COLUMNS[i] ?? 9))
    .join(' ')
    .trimEnd();
const header = () =>
  line(['agent', 'casts', 'seconds', 'right', 'unknown', 'delay50', 'delay95', 'blocked/h', 'working/h']);

function row(name: string, scores: readonly Score[]): string {
  const sum = summaryOf(scores);
  const perHour = (count: number) => (sum.negativeHours === 0 ? '-' : (count / sum.negativeHours).toFixed(1));
  const agents = scores.some(({ isAgent }) => isAgent);
  const share = (value: number) => (agents ? percent(value) : '-');
  return line([
    name,
    String(scores.length),
    sumOf(scores, ({ seconds }) => seconds).toFixed(0),
    share(sum.accuracy),
    share(sum.unknown),
    agents ? ms(sum.delayMedian) : '-',
    agents ? ms(sum.delayP95) : '-',
    perHour(sum.falseBlocked),
    perHour(sum.falseWorking),
  ]);
}

/** Seconds, rows by truth, columns by what was said. */
function confusionOf(scores: readonly Score[]): string[] {
  const columns = ['working', 'idle', 'blocked', 'unknown'];
  const cell = (truth: string, said: string) =>
    sumOf(scores, ({ confusion }) => confusion[`${truth}>${said}`] ?? 0).toFixed(1);
  return [
    line(['true \\ said', ...columns]),
    ...['starting', 'working', 'idle', 'blocked', 'exited', 'none'].map((truth) =>
      line([truth, ...columns.map((said) => cell(truth, said))]),
    ),
  ];
}

const WORST = 12;

function worstOf(scores: readonly Score[]): string[] {
  const lost = (each: Score) => each.seconds - each.right;
  const worst = scores.filter((each) => lost(each) > 0.05).sort((a, b) => lost(b) - lost(a));
  return worst.slice(0, WORST).map((each) => `${each.name}: ${lost(each).toFixed(2)} s not right`);
}

function lineOf(sum: Summary): string {
  return [
    `${sum.recordings} recordings`,
    `accuracy ${percent(sum.accuracy)}`,
    `unknown ${percent(sum.unknown)}`,
    `delay median ${ms(sum.delayMedian)} p95 ${ms(sum.delayP95)}`,
    `false blocked ${sum.falseBlocked}, working ${sum.falseWorking} in ${sum.negativeHours.toFixed(2)} h`,
    `blocked called idle at most ${ms(sum.blockedAsIdle)}`,
  ].join(', ');
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
const ms = (seconds: number) => `${Math.round(seconds * 1000)}ms`;
const sumOf = (scores: readonly Score[], of: (score: Score) => number) =>
  scores.reduce((total, each) => total + of(each), 0);

/** The smallest value that at least this share of the values does not exceed; 0 of none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
