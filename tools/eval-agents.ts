// Holds the detection of agents against recordings: npm run eval:agents -- PATH… [--without-status] [--verbose]
//
// A PATH is an asciicast with NAME.labels.json beside it, or a folder of such. The exit code is 1 when a threshold is
// missed (tools/eval/report.ts), 2 when there is nothing to evaluate.
import { BUNDLED_MANIFESTS, readManifests } from '@switchyard/detector/engine';
import { castFiles, readRecording } from './eval/recording.js';
import { replay, type Seen } from './eval/replay.js';
import { misses, reportOf, summaryOf } from './eval/report.js';
import { type Score, score } from './eval/score.js';

const words = process.argv.slice(2);
const withoutStatus = words.includes('--without-status');
const verbose = words.includes('--verbose');
const files = castFiles(words.filter((word) => !word.startsWith('--')));
if (files.length === 0) {
  console.error('Nothing to evaluate. Usage: npm run eval:agents -- PATH… [--without-status] [--verbose]');
  process.exit(2);
}

const log = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
const engines = (await readManifests({ bundled: BUNDLED_MANIFESTS, overrides: [] }, log)).map(({ engine }) => engine);
const scores = files.map((file) => {
  const recording = readRecording(file, withoutStatus);
  const seen = replay(recording, engines);
  const result = score(recording.name, recording.labels, seen);
  if (verbose) console.log(account(result, seen, recording.labels.intervals));
  return result;
});
console.log(reportOf(scores, withoutStatus));
process.exitCode = misses(summaryOf(scores), withoutStatus).length === 0 ? 0 : 1;

function account(result: Score, seen: readonly Seen[], truth: readonly { from: number; state: string }[]): string {
  const lost = (result.seconds - result.right).toFixed(2);
  return [
    `## ${result.name}: ${lost} s not right`,
    `   true ${truth.map(({ from, state }) => `${from.toFixed(2)} ${state}`).join(', ')}`,
    ...seen.map(
      ({ t, state, why }) => `   ${t.toFixed(2)} ${state ?? 'unknown'} (${why.slice(0, 90).replace(/\s+/g, ' ')})`,
    ),
    ...result.delays
      .filter(({ seconds }) => seconds > 0.5)
      .map(({ at, to, seconds }) => `   late: ${to} at ${at.toFixed(2)} by ${seconds.toFixed(2)} s`),
  ].join('\n');
}
