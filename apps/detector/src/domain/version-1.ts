import { TEXT_LIMIT_CHARS } from './limits.js';
import { type Bucket, isBucket, type ManifestV1 } from './manifest.js';

/** What a manifest of version 1 says about a screen. */
export interface BucketVerdict {
  readonly bucket: Bucket;
  readonly confidence: string;
  readonly matchedPattern: string;
}

/** A manifest whose patterns are compiled and whose rules are in the order in which they are tried. */
export interface CompiledV1 {
  readonly manifest: ManifestV1;
  readonly recognizes: readonly RegExp[];
  readonly rules: readonly CompiledRuleV1[];
}

export interface CompiledRuleV1 {
  readonly bucket: Bucket;
  readonly priority: number;
  readonly lines: number;
  readonly confidence: string;
  readonly patterns: readonly { readonly source: string; readonly expression: RegExp }[];
}

/** Compiles a manifest. Rules of equal priority keep the order of the file; what the format does not know is skipped. */
export function compileV1(manifest: ManifestV1): CompiledV1 {
  const byPriority = [...manifest.states].sort((a, b) => b.priority - a.priority);
  return {
    manifest,
    recognizes: manifest.recognize.screen_patterns.flatMap((source) => expressionOf(source) ?? []),
    rules: byPriority.flatMap(({ bucket, priority, anchor_last_n_lines: lines, confidence, patterns }) =>
      isBucket(bucket) ? [{ bucket, priority, lines, confidence, patterns: patterns.flatMap(compiled) }] : [],
    ),
  };
}

function compiled(source: string) {
  const expression = expressionOf(source);
  return expression === null ? [] : [{ source, expression }];
}

/** The patterns of a manifest that are no regular expressions, for a log line: they are skipped. */
export function badPatterns(manifest: ManifestV1): string[] {
  const all = [...manifest.recognize.screen_patterns, ...manifest.states.flatMap((rule) => rule.patterns)];
  return all.filter((source) => expressionOf(source) === null);
}

/** The state that the first matching rule names, or null. The same text and manifest always give the same answer. */
export function classifyV1(engine: CompiledV1, text: string): BucketVerdict | null {
  for (const rule of engine.rules) {
    const shown = textFor(rule, text);
    const hit = rule.patterns.find(({ expression }) => expression.test(shown));
    if (hit !== undefined) {
      return { bucket: rule.bucket, confidence: rule.confidence, matchedPattern: hit.source };
    }
  }
  return null;
}

/** The text that a rule looks at. */
export function textFor(rule: CompiledRuleV1, text: string): string {
  const lines = linesOf(text);
  return (rule.lines > 0 ? lines.slice(-rule.lines) : lines).join('\n');
}

/** The first pattern by which the agent is known to be on the screen; null: none matches. */
export function recognizesV1(engine: CompiledV1, text: string): string | null {
  const shown = linesOf(text).join('\n');
  return engine.recognizes.find((expression) => expression.test(shown))?.source ?? null;
}

/** Lines without trailing blanks and without blank lines at the end, where programs leave any number of them. */
function linesOf(sample: string): string[] {
  const lines = sample
    .slice(-TEXT_LIMIT_CHARS)
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
