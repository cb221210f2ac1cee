export { AGENTS, type AgentFacts, agentNamed } from './agents.js';
export type { HookReport, Payload, SessionReport } from './hook-report.js';
export { type Ancestor, type Speaker, speakerOf } from './speaker.js';
