import { type Bucket, isBucket, type Manifest } from './manifest.js';

/** A screen and its last scrollback take far less; a longer sample loses its beginning, so that no pattern runs for ever. */
const SAMPLE_LIMIT_CHARS = 64 * 1024;

/** What a manifest says about a screen. */
export interface Verdict {
  readonly bucket: Bucket;
  readonly confidence: string;
  readonly matchedPattern: string;
}

/** A manifest whose patterns are compiled and whose rules are in the order in which they are tried. */
export interface Engine {
  readonly manifest: Manifest;
  readonly recognizes: readonly RegExp[];
  readonly rules: readonly CompiledRule[];
}

interface CompiledRule {
  readonly bucket: Bucket;
  readonly lines: number;
  readonly confidence: string;
  readonly patterns: readonly { readonly source: string; readonly expression: RegExp }[];
}

/** Compiles a manifest. Rules of equal priority keep the order of the file. */
export function compile(manifest: Manifest): Engine {
  const byPriority = [...manifest.states].sort((a, b) => b.priority - a.priority);
  return {
    manifest,
    recognizes: manifest.recognize.screen_patterns.flatMap((source) => expressionOf(source) ?? []),
    rules: byPriority.flatMap((rule) =>
      isBucket(rule.bucket)
        ? [
            {
              bucket: rule.bucket,
              lines: rule.anchor_last_n_lines,
              confidence: rule.confidence,
              patterns: rule.patterns.flatMap((source) => {
                const expression = expressionOf(source);
                return expression === null ? [] : [{ source, expression }];
              }),
            },
          ]
        : [],
    ),
  };
}

/** The patterns of a manifest that are no regular expressions, for a log line: they are skipped. */
export function badPatterns(manifest: Manifest): string[] {
  const all = [...manifest.recognize.screen_patterns, ...manifest.states.flatMap((rule) => rule.patterns)];
  return all.filter((source) => expressionOf(source) === null);
}

/** The state that the first matching rule names, or null. The same sample and manifest always give the same answer. */
export function evaluate(engine: Engine, sample: string): Verdict | null {
  const lines = linesOf(sample);
  for (const rule of engine.rules) {
    const text = (rule.lines > 0 ? lines.slice(-rule.lines) : lines).join('\n');
    const hit = rule.patterns.find(({ expression }) => expression.test(text));
    if (hit !== undefined) {
      return { bucket: rule.bucket, confidence: rule.confidence, matchedPattern: hit.source };
    }
  }
  return null;
}

/** The first engine, in order of agent id, that says its agent is on the screen. */
export function recognize(engines: readonly Engine[], sample: string): Engine | null {
  const text = linesOf(sample).join('\n');
  const sorted = [...engines].sort((a, b) => (a.manifest.agent < b.manifest.agent ? -1 : 1));
  return sorted.find(({ recognizes }) => recognizes.some((expression) => expression.test(text))) ?? null;
}

/** Lines without trailing blanks and without blank lines at the end, where programs leave any number of them. */
function linesOf(sample: string): string[] {
  const lines = sample
    .slice(-SAMPLE_LIMIT_CHARS)
    .split('\n')
    .map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** In Unicode mode where the pattern allows it, since screens are full of symbols; else as written. */
function expressionOf(source: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Not a regular expression in this mode; with neither it is skipped, as the format says.
    }
  }
  return null;
}
