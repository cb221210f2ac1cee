/** How an agent is started and interrupted. */
export interface AgentKind {
  readonly id: string;
  /** Name of its command. */
  readonly command: string;
  /** Key that ends a turn. */
  readonly interrupt: 'escape' | 'ctrl-c';
  /** Arguments after which it takes the id of a conversation that it is to go on with; absent: it documents none. */
  readonly resume?: readonly string[];
}

/** Most take Escape for "stop what you are doing", and Ctrl-C for "quit". */
const kind = (id: string, command = id, interrupt: AgentKind['interrupt'] = 'escape'): AgentKind => ({
  id,
  command,
  interrupt,
});
const resumable = (id: string, command: string, resume: readonly string[]): AgentKind => ({
  ...kind(id, command),
  resume,
});

export const AGENT_KINDS: readonly AgentKind[] = [
  resumable('claude-code', 'claude', ['--resume']),
  resumable('codex', 'codex', ['resume']),
  resumable('gemini-cli', 'gemini', ['--resume']),
  resumable('opencode', 'opencode', ['--session']),
  resumable('copilot-cli', 'copilot', ['--resume']),
  kind('cursor-agent', 'cursor-agent', 'ctrl-c'),
  kind('aider', 'aider', 'ctrl-c'),
  kind('pi'),
  kind('omp'),
  resumable('qwen-code', 'qwen', ['--resume']),
  kind('amp'),
  kind('cline'),
  kind('crush'),
  kind('kilo'),
  kind('droid'),
  kind('kimi', 'kimi', 'ctrl-c'),
  kind('devin', 'devin', 'ctrl-c'),
  kind('hermes', 'hermes', 'ctrl-c'),
  kind('qodercli'),
  kind('grok'),
  kind('auggie'),
];

/** By its id or by the name of its command. */
export function agentKind(name: string): AgentKind | undefined {
  const wanted = name.toLowerCase();
  return AGENT_KINDS.find(({ id, command }) => id === wanted || command === wanted);
}

/** Tells our recognition, and that of others, who runs behind a wrapper. */
export const AGENT_HINT = 'SWITCHYARD_AGENT';

/** Which agent is to run, and how. */
export interface AgentChoice {
  /** Id of an agent or name of its command. */
  readonly kind: string;
  readonly args?: readonly string[] | undefined;
  /** Program, and its first arguments, in place of the usual command. */
  readonly command?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The program that runs an agent. undefined: of an unknown kind no command is known, so one must be given. */
export function agentProgram({ kind: name, args = [], command, env }: AgentChoice) {
  const known = agentKind(name);
  if (known === undefined && command === undefined) return undefined;
  const id = known?.id ?? name;
  return { kind: id, argv: [...(command ?? [known?.command ?? id]), ...args], env: { ...env, [AGENT_HINT]: id } };
}

/** What an id of a conversation looks like. It is what a hook said, and goes onto a command line: nothing else does. */
const CONVERSATION_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,255}$/;

/** The command line that goes on with a conversation; undefined: this agent documents none, or the id is none. */
export function resumeArgv(agent: string, sessionId: string, args: readonly string[] = []): string[] | undefined {
  const known = agentKind(agent);
  if (known?.resume === undefined || !CONVERSATION_ID.test(sessionId)) return undefined;
  return [known.command, ...known.resume, sessionId, ...args];
}

/** Agents that document how a conversation is gone on with. */
export const RESUMABLE_KINDS: readonly string[] = AGENT_KINDS.filter(({ resume }) => resume !== undefined).map(
  ({ id }) => id,
);

/** Ctrl-C interrupts any program that does not say otherwise. */
export const interruptKeyOf = (agent: string): AgentKind['interrupt'] => agentKind(agent)?.interrupt ?? 'ctrl-c';
