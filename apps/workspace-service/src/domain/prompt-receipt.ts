import type { AgentStatus } from '@switchyard/agents';
import type { Result } from '@switchyard/protocol';
import type { Id } from './entities.js';

type Receipt = Result<'agent.receipt'>;
export type PromptStage = Receipt['stage'];
export type PromptOutcome = Receipt['outcome'];

/** In the order in which a prompt goes through them. */
const ORDER: readonly PromptStage[] = [
  'accepted',
  'written',
  'seen_in_composer',
  'submitted',
  'turn_started',
  'finished',
];

/** How many prompts are remembered: enough for the repeats of hours, few enough to stay in memory. */
export const PROMPTS_KEPT = 2048;

/** What became of one prompt. Stored before anything is written and at every stage. */
export interface PromptRecord {
  /** The client_message_id. */
  readonly id: string;
  readonly surfaceId: Id;
  readonly surfaceRef: number;
  /** Agent that it was meant for, null: a program that is no known agent. */
  readonly agent: string | null;
  /** Tells a repeat from another prompt under the same id. */
  readonly digest: string;
  readonly bytes: number;
  readonly at: number;
  readonly outcome: PromptOutcome;
  readonly stages: readonly { readonly stage: PromptStage; readonly at: number }[];
  readonly enters: number;
  /** The agent worked already when the prompt came, so its work is no sign of the prompt's turn. */
  readonly wasWorking: boolean;
}

export type NewPrompt = Pick<
  PromptRecord,
  'id' | 'surfaceId' | 'surfaceRef' | 'agent' | 'digest' | 'bytes' | 'at' | 'wasWorking'
>;

export function acceptedPrompt(prompt: NewPrompt): PromptRecord {
  return { ...prompt, outcome: 'pending', stages: [{ stage: 'accepted', at: prompt.at }], enters: 0 };
}

export function stageOf(record: PromptRecord): PromptStage {
  return record.stages.at(-1)?.stage ?? 'accepted';
}

export const hasReached = (record: PromptRecord, stage: PromptStage): boolean =>
  ORDER.indexOf(stageOf(record)) >= ORDER.indexOf(stage);

/** A later stage; an earlier one changes nothing. Submitted is delivered. */
export function reach(record: PromptRecord, stage: PromptStage, at: number): PromptRecord {
  if (hasReached(record, stage)) return record;
  const stages = [...record.stages, { stage, at }];
  const next = { ...record, stages };
  return hasReached(next, 'submitted') ? { ...next, outcome: 'delivered' } : next;
}

/** Whether changes of the agent's state still say something about the prompt. */
export const isFollowed = (record: PromptRecord): boolean =>
  record.outcome === 'delivered' && !hasReached(record, 'finished');

/** What a change of the agent's state means for a submitted prompt: its turn began, or is over. */
export function follow(record: PromptRecord, { state }: Pick<AgentStatus, 'state'>, at: number): PromptRecord {
  if (!isFollowed(record)) return record;
  if (state === 'working') return record.wasWorking ? record : reach(record, 'turn_started', at);
  const began = record.wasWorking || hasReached(record, 'turn_started');
  return began && state !== 'blocked' ? reach(record, 'finished', at) : record;
}

/** The service was restarted: what was under way below `submitted` may or may not have been written. */
export function afterRestart(record: PromptRecord): PromptRecord {
  return record.outcome === 'pending' ? { ...record, outcome: 'unknown' } : record;
}

/** As clients see it. */
export function receiptOf(record: PromptRecord): Receipt {
  return {
    client_message_id: record.id,
    surface_id: record.surfaceId,
    surface_ref: `surface:${record.surfaceRef}`,
    agent: record.agent,
    stage: stageOf(record),
    outcome: record.outcome,
    stages: record.stages.map(({ stage, at }) => ({ stage, at })),
    enters: record.enters,
    text_bytes: record.bytes,
  };
}

/** The records to remove so that no more than {@link PROMPTS_KEPT} stay; those under way are never among them. */
export function oldestBeyondLimit(records: Iterable<PromptRecord>, limit = PROMPTS_KEPT): PromptRecord[] {
  const all = [...records];
  if (all.length <= limit) return [];
  return all
    .filter(({ outcome }) => outcome !== 'pending')
    .sort((a, b) => a.at - b.at)
    .slice(0, all.length - limit);
}
