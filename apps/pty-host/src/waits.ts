import { type Result, SwitchyardError } from '@switchyard/protocol';
import type { Pattern } from './domain/pattern.js';
import type { PatternSearch, SearchResult } from './pattern-search.js';
import type { Screen } from './screen/screen.js';

export type Exit = NonNullable<Result<'terminal.get'>['exit']>;
type Answer = Result<'terminal.wait'>;

/** Output is settled when nothing came for so long; then patterns are also held against the whole text. */
const SETTLE_MS = 30;
/** A terminal that never settles is looked at as a whole this often. */
const RESTLESS_MS = 1000;

export interface WaitRequest {
  readonly pattern?: { readonly pattern: Pattern; readonly source: string; readonly lines: number };
  /** Milliseconds the caller asked for: named in the error. */
  readonly timeoutMs: number;
  /** Milliseconds there are: less when the request was sent again after a restart. */
  readonly leftMs: number;
  readonly signal: AbortSignal;
}

interface Wait extends WaitRequest {
  readonly settle: (outcome: Answer | Error) => void;
}

/**
 * What clients wait for at one terminal. Nothing polls: text is looked at when it has been parsed, first only what may
 * have changed, and once it has settled the whole of it (a match may span what was there before). A pending wait of a
 * silent terminal costs one timer.
 */
export class Waits {
  readonly #search: PatternSearch;
  readonly #pending = new Set<Wait>();
  #settle: NodeJS.Timeout | undefined;
  #wholeAt = 0;

  constructor(search: PatternSearch) {
    this.#search = search;
  }

  /** Whether any pattern is waited for. */
  get watching(): boolean {
    for (const wait of this.#pending) if (wait.pattern !== undefined) return true;
    return false;
  }

  /**
   * Answers at once when the text already matches, else when it does. The check and the registration are one step.
   *
   * @throws SwitchyardError `timeout` with data `timeout_ms`, `invalid_params` when the pattern takes too long, or the
   *   reason for which the surface was closed
   */
  forPattern(screen: Screen, offset: number, request: Required<WaitRequest>): Promise<Answer> {
    const { pattern, lines } = request.pattern;
    const [found] = this.#search.search([pattern], screen.historyText(lines));
    if (found !== undefined) return answerNow(found, request, offset);
    if (!this.watching) screen.mark();
    return this.#register(request);
  }

  /** Answers when the program has ended and everything it printed is on the screen. */
  forExit(request: WaitRequest): Promise<Answer> {
    return this.#register(request);
  }

  #register(request: WaitRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { timeoutMs, leftMs, signal } = request;
      const timer = setTimeout(() => {
        wait.settle(new SwitchyardError('timeout', `Nothing came within ${timeoutMs} ms.`, { timeout_ms: timeoutMs }));
      }, leftMs);
      const withdraw = () => wait.settle(new SwitchyardError('cancelled', 'The caller withdrew the wait.'));
      const wait: Wait = {
        ...request,
        settle: (outcome) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', withdraw);
          this.#pending.delete(wait);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      this.#pending.add(wait);
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) withdraw();
    });
  }

  /**
   * Output was parsed: looks at the rows that may have changed.
   * @param added the text that has come, when that is all that has changed: a plain text that is not in it is not new
   */
  parsed(screen: Screen, offset: number, added?: string): void {
    const waiting = this.#patternWaits();
    if (waiting.length === 0) {
      screen.unmark();
      return;
    }
    const fresh = waiting.filter(({ pattern }) => pattern?.pattern.looksBack === false);
    const possible = fresh.filter(({ pattern }) => added === undefined || mayBeIn(added, pattern?.pattern.literal));
    const text = possible.length > 0 ? screen.textSinceMark() : '';
    screen.mark();
    this.#hold(possible, text, offset);
    if (this.#settle === undefined) this.#wholeAt = performance.now() + RESTLESS_MS;
    clearTimeout(this.#settle);
    const wait = Math.min(SETTLE_MS, Math.max(0, this.#wholeAt - performance.now()));
    this.#settle = setTimeout(() => this.#lookAtAll(screen, offset), wait);
  }

  #lookAtAll(screen: Screen, offset: number): void {
    this.#settle = undefined;
    const waiting = this.#patternWaits();
    for (const lines of new Set(waiting.map((wait) => wait.pattern?.lines ?? 0))) {
      this.#hold(
        waiting.filter((wait) => wait.pattern?.lines === lines),
        screen.historyText(lines),
        offset,
      );
    }
  }

  #patternWaits(): Wait[] {
    return [...this.#pending].filter((wait) => wait.pattern !== undefined);
  }

  #hold(waiting: readonly Wait[], text: string, offset: number): void {
    const patterns = waiting.flatMap((wait) => (wait.pattern === undefined ? [] : [wait.pattern.pattern]));
    if (patterns.length === 0) return;
    const found = this.#search.search(patterns, text);
    for (const [i, wait] of waiting.entries()) {
      const result = found[i];
      if (result === undefined) continue;
      wait.settle('match' in result ? { waited: true, match: result.match, offset } : tooExpensive(wait));
    }
  }

  /** The program has ended and everything is parsed. */
  exited(exit: Exit): void {
    for (const wait of [...this.#pending]) {
      if (wait.pattern === undefined) wait.settle({ waited: true, exit, offset: exit.offset });
    }
  }

  /** The surface is gone: nobody waits on. */
  close(reason: Error): void {
    clearTimeout(this.#settle);
    for (const wait of [...this.#pending]) wait.settle(reason);
  }
}

/** A text that holds a line end or another control character is not looked for in what was printed. */
const mayBeIn = (added: string, literal: string | undefined): boolean =>
  literal === undefined || !/^[\x20-\x7e]+$/.test(literal) || added.includes(literal);

function answerNow(found: NonNullable<SearchResult>, request: WaitRequest, offset: number): Promise<Answer> {
  if ('match' in found) return Promise.resolve({ waited: false, match: found.match, offset });
  return Promise.reject(tooExpensive(request));
}

function tooExpensive(request: WaitRequest): SwitchyardError {
  const pattern = request.pattern?.source ?? '';
  return new SwitchyardError('invalid_params', 'The pattern takes too long to evaluate; make it simpler.', { pattern });
}
