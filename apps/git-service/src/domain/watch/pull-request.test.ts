import { describe, expect, it } from 'vitest';
import { parsePullRequest } from './pull-request.js';

const row = {
  number: 42,
  title: 'Notes',
  url: 'https://example.com/pull/42',
  state: 'OPEN',
  isDraft: false,
  headRefName: 'notes',
  statusCheckRollup: [] as object[],
};
const read = (more: object = {}) => parsePullRequest(JSON.stringify({ ...row, ...more }));
const checks = (...rollup: object[]) => read({ statusCheckRollup: rollup })?.checks;

describe('what gh says of a pull request', () => {
  it('is taken over in the words of the contract', () => {
    expect(read()).toEqual({
      number: 42,
      label: 'PR',
      url: 'https://example.com/pull/42',
      state: 'open',
      branch: 'notes',
      checks: null,
      title: 'Notes',
      draft: false,
    });
    expect(read({ state: 'MERGED', isDraft: true })).toMatchObject({ state: 'merged', draft: true });
  });

  it('fails with one check that failed, and is pending while one is not decided', () => {
    expect(checks({ conclusion: 'SUCCESS' }, { state: 'SUCCESS' }, { conclusion: 'SKIPPED' })).toBe('pass');
    expect(checks({ conclusion: 'SUCCESS' }, { status: 'IN_PROGRESS', conclusion: '' })).toBe('pending');
    expect(checks({ state: 'PENDING' }, { conclusion: 'FAILURE' })).toBe('fail');
  });

  it('is nothing, if it is not what gh says', () => {
    for (const output of ['', 'no pull requests found', '[]', 'null', '{"number":"1"}']) {
      expect(parsePullRequest(output), output).toBeNull();
    }
    expect(read({ url: 'javascript:alert(1)' })).toBeNull();
    expect(read({ state: 'NEW' })).toBeNull();
  });

  it('is cut where it would fill a list', () => {
    expect(read({ title: 'x'.repeat(10_000) })?.title).toHaveLength(256);
  });
});
