import { existsSync, readFileSync } from 'node:fs';
import { isAlive, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchKit } from './watch-kit.js';

const row = (number: number) =>
  JSON.stringify({
    number,
    title: 'Notes',
    url: `https://example.com/pull/${number}`,
    state: 'OPEN',
    isDraft: false,
    headRefName: 'main',
    statusCheckRollup: [],
  });

let kit: WatchKit;
beforeEach(() => {
  kit = new WatchKit({ pullRequests: true });
  kit.repo('repo');
});
afterEach(() => kit.end());

const numberOf = () => kit.of('repo')?.pull_request?.number;

describe('the pull request of a branch', () => {
  it('is asked for once the branch is known, and again only after a change, not sooner than the pause allows', async () => {
    kit.program('gh', `echo '${row(42)}'`);
    kit.watch('repo');
    await waitFor('the pull request is known', () => numberOf() === 42);
    expect(kit.of('repo')).toMatchObject({ branch: 'main', pull_request: { label: 'PR', checks: null } });
    kit.commit('repo', 'second');
    await kit.until('repo', { head: kit.git('repo', 'rev-parse', 'HEAD').trim() });
    await kit.quietFor(1500);
    expect(kit.runs('gh')).toHaveLength(1);
    expect(kit.runs('gh')[0]).toMatch(/^pr view --json number,title,url/);
    expect(numberOf(), 'a commit does not change what the branch is about').toBe(42);
    kit.git('repo', 'switch', '-q', '-c', 'other');
    await kit.until('repo', { branch: 'other', pull_request: null });
  });

  it.each([
    ['there is none', 'echo "no pull requests found" >&2; exit 1'],
    ['nobody is logged in', 'echo "gh auth login" >&2; exit 4'],
    ['gh says something else', 'echo hello'],
  ])('is null when %s', async (_why, script) => {
    kit.program('gh', script);
    kit.watch('repo');
    await waitFor('gh was asked', () => kit.runs('gh').length === 1);
    await kit.until('repo', { branch: 'main', pull_request: null });
  });

  it('holds nothing up while gh hangs, and gh ends with us', async () => {
    kit.program('gh', `echo $$ > ${kit.path('pid')}; exec sleep 60`);
    kit.watch('repo');
    await waitFor('gh was asked', () => kit.runs('gh').length === 1);
    kit.commit('repo', 'second');
    await kit.until('repo', { head: kit.git('repo', 'rev-parse', 'HEAD').trim() });
    const pid = Number(
      await waitFor('gh runs', () => existsSync(kit.path('pid')) && readFileSync(kit.path('pid'), 'utf8').trim()),
    );
    kit.watching.close();
    await waitFor('gh is gone', () => !isAlive(pid));
  });

  it('is not asked for unless the setting says so', async () => {
    kit.end();
    kit = new WatchKit();
    kit.program('gh', `echo '${row(42)}'`);
    kit.repo('repo');
    kit.watch('repo');
    await kit.until('repo', { branch: 'main' });
    await kit.quietFor(1500);
    expect(kit.runs('gh')).toEqual([]);
  });
});
