import { agentOfProcess } from './agents.js';

/** A process above the hook. */
export interface Ancestor {
  readonly pid: number;
  /** Process group and session: those that a program is started in by the tool of an agent are its own. */
  readonly group: number;
  readonly session: number;
  /** What it may be called. */
  readonly names: readonly string[];
  /** It serves agents in several terminals, as the server behind Codex does. */
  readonly serves: boolean;
}

/** Which agent an event comes from. */
export interface Speaker {
  readonly agent: string;
  /** Its process; null: not found. */
  readonly pid: number | null;
  /** Another agent started it, as when Claude runs `claude -p`: it is not the one that the person talks to. */
  readonly nested: boolean;
  /**
   * A server of the agent ran the hook. Its environment is that of the terminal in which it was started, and `pid` the
   * agent there; the event may be about another one.
   */
  readonly served: boolean;
}

/**
 * Finds the agent that ran a hook among the processes above it. An agent may run the hooks that were installed for
 * another (Grok and Devin run those of Claude Code), so the process has the last word.
 *
 * @param agent the one that the hook was installed for
 * @param above from the parent upwards; empty: not known, then the event is taken as the agent's own
 */
export function speakerOf(agent: string, above: readonly Ancestor[]): Speaker {
  const known = above.map((process) => ({ ...process, agent: agentOfProcess(process.names) }));
  const first = known.findIndex((process) => process.agent !== undefined);
  const nearest = known[first];
  if (nearest?.agent === undefined) return { agent, pid: null, nested: false, served: false };
  const served = nearest.serves;
  const own = served ? known.findIndex((process) => process.agent === nearest.agent && !process.serves) : first;
  if (own < 0) return { agent: nearest.agent, pid: null, nested: false, served };
  let top = own;
  // A launcher that started the agent in its own process group is the same agent.
  while (isSame(known[top + 1], known[own])) top++;
  const nested = known.slice(top + 1).some((process) => process.agent !== undefined);
  return { agent: nearest.agent, pid: known[top]?.pid ?? null, nested, served };
}

type Known = Ancestor & { readonly agent: string | undefined };

function isSame(other: Known | undefined, one: Known | undefined): boolean {
  return (
    other?.agent !== undefined &&
    other.agent === one?.agent &&
    other.group === one?.group &&
    other.session === one?.session
  );
}
