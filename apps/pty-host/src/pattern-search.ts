import { createContext, Script } from 'node:vm';
import type { Pattern } from './domain/pattern.js';

/**
 * How long one pattern may think about one text. A sound one needs a millisecond for the longest screen; the rest of the
 * time is for a machine that is busy. Above it, the pattern is of the kind that never ends.
 */
const LIMIT_MS = 250;

/** That many steps are over in a few milliseconds, and twenty at worst. */
const SHORT_STEPS = 2_000_000;

export type SearchResult = { readonly match: string } | { readonly tooExpensive: true } | undefined;

/**
 * Runs patterns of clients with an end to their patience: the regular expression engine backtracks, so a few characters
 * can keep it busy for longer than the universe lasts. V8 checks for termination while it backtracks, which `node:vm`
 * makes use of for its time limit; that is a thread started and ended, 0.1 ms on an idle machine and many times that on a
 * busy one. So several patterns are run in one go, and one that cannot take long on a short text is run without.
 */
export class PatternSearch {
  readonly #context = createContext({ regexes: [] as RegExp[], text: '' });
  readonly #script = new Script('regexes.map((regex) => regex.exec(text)?.[0])');

  /** @returns for each pattern its match, undefined for none, or that it takes too long */
  search(patterns: readonly Pattern[], text: string): SearchResult[] {
    const isOther = (pattern: Pattern) => pattern.literal === undefined && !isShort(pattern, text);
    const found = this.#run(patterns.filter(isOther), text).values();
    return patterns.map((pattern) => (isOther(pattern) ? found.next().value : plainSearch(pattern, text)));
  }

  #run(patterns: readonly Pattern[], text: string): SearchResult[] {
    if (patterns.length === 0) return [];
    const matches = this.#exec(patterns, text);
    if (matches !== undefined) return matches.map((match) => (match === undefined ? undefined : { match }));
    if (patterns.length === 1) return [{ tooExpensive: true }];
    // One of them is to blame: find out which.
    return patterns.flatMap((pattern) => this.#run([pattern], text));
  }

  #exec(patterns: readonly Pattern[], text: string): (string | undefined)[] | undefined {
    Object.assign(this.#context, { regexes: patterns.map((pattern) => pattern.regex), text });
    try {
      return [...(this.#script.runInContext(this.#context, { timeout: LIMIT_MS }) as (string | undefined)[])];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    } finally {
      Object.assign(this.#context, { regexes: [], text: '' });
    }
  }
}

function plainSearch(pattern: Pattern, text: string): SearchResult {
  if (pattern.literal !== undefined) return text.includes(pattern.literal) ? { match: pattern.literal } : undefined;
  const match = pattern.regex.exec(text)?.[0];
  return match === undefined ? undefined : { match };
}

function isShort({ cost }: Pattern, text: string): boolean {
  return cost !== undefined && cost.factor * (text.length + 1) ** cost.exponent <= SHORT_STEPS;
}
