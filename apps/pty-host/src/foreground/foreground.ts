import { basename } from 'node:path';
import { type ForegroundProcess, processNames, runsScript } from '@switchyard/agents';
import type { ProcessFacts, ProcessSource } from './process-source.js';

/** Set by people and launchers to say which agent a program is. */
const HINT = 'SWITCHYARD_AGENT';
/** Group and name are looked at every time; arguments and children only so often. */
const FRESH_MS = 1000;
/** A wrapper in a wrapper is common, more are a joke. */
const MAX_DEPTH = 4;
/** What is handed on of a command line: enough for every rule, and no secrets of megabytes. */
const MAX_WORDS = 32;
const MAX_WORD = 512;
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish']);
/** `-c`, alone or with others, as in `-lc`. */
const COMMAND_LINE = /^-[a-z]*c$/;
const PACKAGE_RUNNERS = /^(?:npm|npx|pnpm|pnpx|yarn|bunx|uvx|uv|pipx)\b/;

interface Known {
  readonly at: number;
  readonly group: number;
  readonly process: ForegroundProcess | null;
  readonly comm: string;
}

/** Who is in the foreground of each terminal. Looked up when asked, never by itself. */
export class Foreground {
  readonly #source: ProcessSource;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** @param now milliseconds that only rise */
  constructor(source: ProcessSource, now: () => number) {
    this.#source = source;
    this.#now = now;
  }

  /**
   * @param pid of the program that the terminal was opened with
   * @returns null when nobody is in the foreground, or the program has ended
   */
  of(surfaceId: string, pid: number): ForegroundProcess | null {
    const group = this.#source.find(pid)?.foreground ?? 0;
    const known = this.#known.get(surfaceId);
    const now = this.#now();
    if (known?.group === group && now - known.at < FRESH_MS && this.#isStill(known)) return known.process;
    const process = group > 0 ? lookUp(this.#source, group) : null;
    const comm = process === null ? '' : (this.#source.find(process.pid)?.comm ?? '');
    this.#known.set(surfaceId, { at: now, group, process, comm });
    return process;
  }

  /** Neither ended, nor another program in its place, nor under another name. */
  #isStill({ process, comm }: Known): boolean {
    if (process === null) return true;
    const facts = this.#source.find(process.pid);
    return facts?.start === process.start_time && facts.comm === comm;
  }

  forget(surfaceId: string): void {
    this.#known.delete(surfaceId);
  }
}

/** The leader of the group, or if that only wraps another program, the program in it. */
function lookUp(source: ProcessSource, group: number): ForegroundProcess | null {
  // The first program of a pipeline may have ended before the others.
  const leader = source.find(group) ?? oldest(source.group(group));
  if (leader === undefined) return null;
  let facts = leader;
  let argv = source.argv(facts.pid);
  let names = processNames({ comm: facts.comm, argv });
  for (let depth = 0; depth < MAX_DEPTH && isWrapper(facts, argv); depth++) {
    const inner = oldest(source.children(facts.pid).filter((child) => child.group === group));
    if (inner === undefined) break;
    facts = inner;
    argv = source.argv(facts.pid);
    // The name of a script around it may be the one that is known; that a shell runs it says nothing.
    names = [...processNames({ comm: facts.comm, argv }), ...names.filter((name) => !SHELLS.has(name))];
  }
  return {
    pid: facts.pid,
    pgid: group,
    start_time: facts.start,
    names: [...new Set(names)],
    argv: argv.slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD)),
    hint: source.variable(facts.pid, HINT) || null,
  };
}

/** A shell that runs a script or a command line, or a package runner: what it has started is what counts. */
function isWrapper({ comm }: ProcessFacts, argv: readonly string[]): boolean {
  const [title = ''] = argv;
  const program = basename(title).replace(/^-/, '');
  if (processNames({ comm, argv }).length === 0) return true;
  // Some of them write what they run into their title: `npm exec @scope/name`.
  if (PACKAGE_RUNNERS.test(title) || PACKAGE_RUNNERS.test(program)) return true;
  return SHELLS.has(program) && (runsScript(argv) || argv.some((word) => COMMAND_LINE.test(word)));
}

function oldest(list: readonly ProcessFacts[]): ProcessFacts | undefined {
  return list.reduce<ProcessFacts | undefined>(
    (first, facts) =>
      first === undefined || facts.start < first.start || (facts.start === first.start && facts.pid < first.pid)
        ? facts
        : first,
    undefined,
  );
}
