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
  /** Whom that was found by. */
  readonly chain: readonly ProcessFacts[];
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
    const found = group > 0 ? lookUp(this.#source, group) : undefined;
    const process = found?.process ?? null;
    this.#known.set(surfaceId, { at: now, group, process, chain: found?.chain ?? [] });
    return process;
  }

  /** None has ended, has become another program, or has another name. */
  #isStill({ chain }: Known): boolean {
    return chain.every((before) => {
      const now = this.#source.find(before.pid);
      return now?.start === before.start && now.comm === before.comm;
    });
  }

  forget(surfaceId: string): void {
    this.#known.delete(surfaceId);
  }
}

interface Found {
  readonly process: ForegroundProcess;
  /** It, and what it runs. */
  readonly chain: readonly ProcessFacts[];
}

/**
 * The leader of the group. A shell with a command line and a package runner stand for what they have started; a script
 * stays what it is, whatever it starts, and what that is called is among its names.
 */
function lookUp(source: ProcessSource, group: number): Found | undefined {
  // The first program of a pipeline may have ended before the others.
  const leader = source.find(group) ?? oldest(source.group(group));
  if (leader === undefined) return undefined;
  const chain = chainFrom(source, leader, group);
  const at = chain.findIndex(({ wraps }) => wraps !== 'anything');
  const main = chain[at < 0 ? chain.length - 1 : at];
  if (main === undefined) return undefined;
  const { pid, start } = main.facts;
  const process = {
    pid,
    pgid: group,
    start_time: start,
    names: namesOf(chain),
    argv: main.argv.slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD)),
    hint: source.variable(pid, HINT) || null,
  };
  return { process, chain: chain.map(({ facts }) => facts) };
}

interface Link {
  readonly facts: ProcessFacts;
  readonly argv: readonly string[];
  readonly names: readonly string[];
  readonly wraps: Wraps;
}

/** The program, and as long as it may be only a wrapper, the first that it has started. */
function chainFrom(source: ProcessSource, leader: ProcessFacts, group: number): Link[] {
  const chain: Link[] = [];
  let facts: ProcessFacts | undefined = leader;
  while (facts !== undefined && chain.length < MAX_DEPTH) {
    const { pid, comm }: ProcessFacts = facts;
    const argv = source.argv(pid);
    const names = processNames({ comm, argv });
    const wraps = wrapsWhat(argv, names);
    chain.push({ facts, argv, names, wraps });
    facts = wraps === 'nothing' ? undefined : oldest(source.children(pid).filter((child) => child.group === group));
  }
  return chain;
}

/** What is inside is the better name. That a shell runs it says nothing, unless there is nothing else. */
function namesOf(chain: readonly Link[]): string[] {
  const all = chain.toReversed().flatMap(({ names }) => names);
  const telling = all.filter((name) => !SHELLS.has(name));
  return [...new Set(telling.length > 0 ? telling : all)];
}

/** A shell that runs a command line, and a package runner, run anything; a script runs what it is made for. */
type Wraps = 'anything' | 'by script' | 'nothing';

function wrapsWhat(argv: readonly string[], names: readonly string[]): Wraps {
  const [title = ''] = argv;
  const program = basename(title).replace(/^-/, '');
  // Some package runners write what they run into their title: `npm exec @scope/name`.
  if (names.length === 0 || PACKAGE_RUNNERS.test(title) || PACKAGE_RUNNERS.test(program)) return 'anything';
  if (!SHELLS.has(program)) return 'nothing';
  if (runsScript(argv)) return 'by script';
  return argv.some((word) => COMMAND_LINE.test(word)) ? 'anything' : 'nothing';
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
