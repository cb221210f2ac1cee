import { describe, expect, it } from 'vitest';
import { type OperationRecord, outdatedOutcomes, readRecord, stepOf, withStep } from './operation.js';

const record: OperationRecord = {
  id: 'A',
  kind: 'test',
  repo: '/r',
  identity: 'i',
  facts: {},
  begunAt: 1,
  steps: [],
  outcome: null,
};
const ended = (id: string, at: number): OperationRecord => ({
  ...record,
  id,
  outcome: { recovered: 'completed', detail: '', at },
});

describe('the record of an operation', () => {
  it('has the facts of the last step of a name', () => {
    const twice = withStep(withStep(record, 'made', { n: 1 }, 2), 'made', { n: 2 }, 3);
    expect(stepOf(twice, 'made')).toEqual({ n: 2 });
    expect(stepOf(record, 'made')).toBeUndefined();
  });

  it('survives being written', () => {
    expect(readRecord(JSON.stringify(record))).toEqual(record);
    expect(['', '[]', 'null', '{"id":"A"}'].map(readRecord)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is kept after its end only among the newest, and before it always', () => {
    expect(outdatedOutcomes([ended('B', 2), record, ended('C', 3), ended('D', 1)], 1)).toEqual(['B', 'D']);
  });
});
