/** How an agent is started and interrupted. */
export interface AgentKind {
  readonly id: string;
  /** Name of its command. */
  readonly command: string;
  /** Key that ends a turn. */
  readonly interrupt: 'escape' | 'ctrl-c';
}

/** Most take Escape for "stop what you are doing", and Ctrl-C for "quit". */
const kind = (id: string, command = id, interrupt: AgentKind['interrupt'] = 'escape'): AgentKind => ({
  id,
  command,
  interrupt,
});

export const AGENT_KINDS: readonly AgentKind[] = [
  kind('claude-code', 'claude'),
  kind('codex'),
  kind('gemini-cli', 'gemini'),
  kind('opencode'),
  kind('copilot-cli', 'copilot'),
  kind('cursor-agent', 'cursor-agent', 'ctrl-c'),
  kind('aider', 'aider', 'ctrl-c'),
  kind('pi'),
  kind('omp'),
  kind('qwen-code', 'qwen'),
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

/** Ctrl-C interrupts any program that does not say otherwise. */
export const interruptKeyOf = (agent: string): AgentKind['interrupt'] => agentKind(agent)?.interrupt ?? 'ctrl-c';
