import { claudeLike } from './claude-like.js';
import type { EventReader } from './hook-report.js';
import { antigravity, cline, copilot, cursor, gemini, inProcess, mastracode } from './own-words.js';

/** An agent as hooks know it. */
export interface AgentFacts {
  /** Its id in Switchyard, as detection has it. */
  readonly id: string;
  /** What its process may be called: names of commands and packages. */
  readonly processes: readonly string[];
  readonly read: EventReader;
}

/** By the name that hooks and the command line use. */
export const AGENTS: Readonly<Record<string, AgentFacts>> = {
  claude: { id: 'claude-code', processes: ['claude', '@anthropic-ai/claude-code'], read: claudeLike },
  codex: { id: 'codex', processes: ['codex', '@openai/codex'], read: claudeLike },
  gemini: { id: 'gemini-cli', processes: ['gemini', '@google/gemini-cli'], read: gemini },
  qwen: { id: 'qwen-code', processes: ['qwen', '@qwen-code/qwen-code'], read: claudeLike },
  opencode: { id: 'opencode', processes: ['opencode', 'opencode-ai'], read: inProcess },
  kilo: { id: 'kilo', processes: ['kilo', 'kilocode', '@kilocode/cli'], read: inProcess },
  copilot: { id: 'copilot-cli', processes: ['copilot', '@github/copilot'], read: copilot },
  cline: { id: 'cline', processes: ['cline'], read: cline },
  pi: { id: 'pi', processes: ['pi', '@earendil-works/pi-coding-agent'], read: inProcess },
  omp: { id: 'omp', processes: ['omp', '@oh-my-pi/pi-coding-agent'], read: inProcess },
  kimi: { id: 'kimi', processes: ['kimi', 'kimi-code'], read: claudeLike },
  droid: { id: 'droid', processes: ['droid'], read: claudeLike },
  qodercli: { id: 'qodercli', processes: ['qodercli', '@qoder-ai/qodercli'], read: claudeLike },
  cursor: { id: 'cursor-agent', processes: ['cursor-agent'], read: cursor },
  grok: { id: 'grok', processes: ['grok'], read: claudeLike },
  devin: { id: 'devin', processes: ['devin'], read: claudeLike },
  mastracode: { id: 'mastracode', processes: ['mastracode'], read: mastracode },
  antigravity: { id: 'antigravity', processes: ['agy', 'antigravity'], read: antigravity },
  hermes: { id: 'hermes', processes: ['hermes'], read: inProcess },
};

export const agentNamed = (name: string): AgentFacts | undefined =>
  Object.hasOwn(AGENTS, name) ? AGENTS[name] : undefined;

/** The agent that a process is, by what it may be called; undefined: none that we know. */
export function agentOfProcess(names: readonly string[]): string | undefined {
  return Object.keys(AGENTS).find((agent) => AGENTS[agent]?.processes.some((name) => names.includes(name)));
}
