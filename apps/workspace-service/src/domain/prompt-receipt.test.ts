import { describe, expect, it } from 'vitest';
import {
  acceptedPrompt,
  afterRestart,
  follow,
  oldestBeyondLimit,
  type PromptRecord,
  reach,
  receiptOf,
  stageOf,
} from './prompt-receipt.js';

const prompt = (more: Partial<PromptRecord> = {}): PromptRecord => ({
  ...acceptedPrompt({
    id: 'm',
    surfaceId: 'S',
    surfaceRef: 3,
    agent: 'codex',
    digest: 'd',
    bytes: 9,
    at: 1,
    wasWorking: false,
  }),
  ...more,
});
const submitted = (more: Partial<PromptRecord> = {}) => reach(prompt(more), 'submitted', 2);
const states = (record: PromptRecord, ...all: (PromptRecordState | null)[]) =>
  all.reduce((now, state, at) => follow(now, { state }, 10 + at), record);
type PromptRecordState = 'working' | 'idle' | 'blocked';

describe('the receipt of a prompt', () => {
  it('goes forward only, and is delivered once it is submitted', () => {
    const record = reach(reach(prompt(), 'seen_in_composer', 5), 'written', 6);
    expect(record.stages.map(({ stage }) => stage)).toEqual(['accepted', 'seen_in_composer']);
    expect(record.outcome).toBe('pending');
    expect(receiptOf(reach(record, 'submitted', 7))).toMatchObject({ outcome: 'delivered', surface_ref: 'surface:3' });
  });

  it('follows the turn that it began to its end', () => {
    expect(stageOf(states(submitted(), 'working'))).toBe('turn_started');
    expect(stageOf(states(submitted(), 'working', 'blocked'))).toBe('turn_started');
    expect(stageOf(states(submitted(), 'working', 'blocked', 'working', 'idle'))).toBe('finished');
    expect(stageOf(states(submitted(), 'working', null))).toBe('finished');
  });

  it('takes idle for no end where no turn began', () => {
    expect(stageOf(states(submitted(), 'idle'))).toBe('submitted');
  });

  it('claims no turn for a prompt that was queued behind another', () => {
    expect(stageOf(states(submitted({ wasWorking: true }), 'working'))).toBe('submitted');
    expect(stageOf(states(submitted({ wasWorking: true }), 'working', 'idle'))).toBe('finished');
  });

  it('is unknown after a restart in between, and stays what it was once it is known', () => {
    expect(afterRestart(reach(prompt(), 'written', 2)).outcome).toBe('unknown');
    expect(afterRestart(submitted())).toEqual(submitted());
    expect(afterRestart(prompt({ outcome: 'not_submitted' })).outcome).toBe('not_submitted');
  });

  it('is forgotten when there are too many, the oldest first and never one under way', () => {
    const all = [1, 2, 3, 4].map((at) => ({ ...submitted(), id: `m${at}`, at }));
    const under = { ...prompt(), id: 'm0', at: 0 };
    expect(oldestBeyondLimit([...all, under], 3).map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(oldestBeyondLimit(all, 4)).toEqual([]);
  });
});
