import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchKit } from './watch-kit.js';

/** Longer than any look is put off that one event asks for. */
const QUIET_MS = 1500;
/** What is measured is that nothing happens, so there is nothing to wait for but time. */
const IDLE_MS = 3000;

let kit: WatchKit;
beforeEach(() => {
  kit = new WatchKit();
});
afterEach(() => kit.end());

const write = (...parts: string[]) => writeFileSync(kit.path(...parts), String(Math.random()));

describe('what is known of a repository', () => {
  it('is its branch, commit and state, told once', async () => {
    const root = kit.repo('repo');
    mkdirSync(kit.path('repo', 'deep'));
    write('repo', 'new');
    kit.watch('repo', 'repo/deep');
    const facts = {
      root,
      branch: 'main',
      detached: false,
      head: kit.git('repo', 'rev-parse', 'HEAD').trim(),
      upstream: null,
      ahead: null,
      behind: null,
      dirty: true,
      changed_count: 1,
      operation: null,
      pull_request: null,
    };
    await kit.until('repo', {});
    await kit.until('repo/deep', {});
    expect(kit.of('repo')).toEqual(facts);
    expect(kit.of('repo/deep')).toEqual(facts);
    const looks = kit.runs().filter((line) => line.includes('status'));
    expect(looks.length, 'both folders share the looks').toBeLessThanOrEqual(2);
  });

  it('is answered at once to whoever tells the same folders again', async () => {
    kit.repo('repo');
    kit.watch('repo', 'nowhere');
    await kit.until('repo', { branch: 'main' });
    await kit.until('nowhere', null);
    const before = kit.runs().length;
    const known = kit.watching.watch([
      { folder: kit.path('repo'), surface_ids: ['other'] },
      { folder: kit.path('nowhere'), surface_ids: [] },
    ]);
    expect(known).toMatchObject([{ folder: kit.path('repo'), git: { branch: 'main' } }, { git: null }]);
    expect(kit.runs()).toHaveLength(before);
  });

  it('follows commits, branches and their upstream', async () => {
    kit.repo('origin');
    kit.git('.', 'clone', '-q', 'origin', 'repo');
    kit.watch('repo');
    await kit.until('repo', { branch: 'main', upstream: 'origin/main', ahead: 0, behind: 0 });
    kit.commit('repo', 'mine');
    await kit.until('repo', { ahead: 1, behind: 0, dirty: false });
    kit.commit('origin', 'theirs');
    kit.git('repo', 'fetch', '-q');
    await kit.until('repo', { ahead: 1, behind: 1 });
    kit.git('repo', 'switch', '-q', '-c', 'feature/a');
    await kit.until('repo', { branch: 'feature/a', upstream: null });
    kit.git('repo', 'branch', '-m', 'feature/b');
    await kit.until('repo', { branch: 'feature/b' });
    kit.git('repo', 'switch', '-q', '--detach');
    await kit.until('repo', { branch: null, detached: true });
    kit.git('repo', 'switch', '-q', 'main');
    kit.git('repo', 'pack-refs', '--all', '--prune');
    kit.git('repo', 'reset', '-q', '--hard', 'origin/main');
    await kit.until('repo', { branch: 'main', ahead: 0, behind: 0 });
  });

  it('follows a push, which changes nothing but the ref of the upstream', async () => {
    kit.repo('first');
    kit.git('.', 'clone', '-q', '--bare', 'first', 'origin');
    kit.git('.', 'clone', '-q', 'origin', 'repo');
    kit.commit('repo', 'mine');
    kit.git('repo', 'pack-refs', '--all', '--prune');
    kit.watch('repo');
    await kit.until('repo', { ahead: 1 });
    kit.git('repo', 'push', '-q');
    await kit.until('repo', { ahead: 0 });
  });

  it('follows the index: staged and unstaged again', async () => {
    kit.repo('repo');
    kit.watch('repo');
    await kit.until('repo', { dirty: false });
    write('repo', 'first');
    kit.git('repo', 'add', 'first');
    await kit.until('repo', { dirty: true, changed_count: 1 });
    kit.git('repo', 'checkout', '-q', 'HEAD', '--', 'first');
    await kit.until('repo', { dirty: false, changed_count: 0 });
  });

  it('names the operation that is in progress', async () => {
    kit.repo('repo');
    kit.git('repo', 'switch', '-q', '-c', 'other');
    writeFileSync(kit.path('repo', 'first'), 'theirs');
    kit.git('repo', 'commit', '-q', '-am', 'theirs');
    kit.git('repo', 'switch', '-q', 'main');
    writeFileSync(kit.path('repo', 'first'), 'mine');
    kit.git('repo', 'commit', '-q', '-am', 'mine');
    kit.watch('repo');
    await kit.until('repo', { branch: 'main', operation: null });
    for (const [command, operation] of [
      ['merge', 'merge'],
      ['rebase', 'rebase'],
      ['cherry-pick', 'cherry_pick'],
    ] as const) {
      expect(() => kit.git('repo', command, 'other')).toThrow();
      await kit.until('repo', { operation });
      kit.git('repo', command, '--abort');
      await kit.until('repo', { operation: null, branch: 'main' });
    }
  });

  it('F7: is known of an unborn branch, a bare repository and a worktree with an odd name', async () => {
    mkdirSync(kit.path('unborn'));
    kit.git('unborn', 'init', '-q', '-b', 'trunk');
    kit.repo('repo');
    kit.git('.', 'clone', '-q', '--bare', 'repo', 'bare');
    const odd = 'a b -> "ä"\nc';
    kit.git('repo', 'worktree', 'add', '-q', '-b', 'fix/it', kit.path(odd));
    kit.watch('unborn', 'bare', odd);
    await kit.until('unborn', { branch: 'trunk', head: null, detached: false });
    await kit.until('bare', { branch: 'main', dirty: null, changed_count: null });
    await kit.until(odd, { branch: 'fix/it', root: kit.path(odd) });
    kit.commit(odd, 'second');
    await kit.until(odd, { head: kit.git(odd, 'rev-parse', 'HEAD').trim() });
  });
});

describe('files that are edited', () => {
  it('are seen when a terminal has printed and come to rest, or an agent has ended its turn', async () => {
    kit.repo('repo');
    kit.watch('repo');
    await kit.until('repo', { dirty: false });
    write('repo', 'one');
    kit.watching.printed('repo');
    await kit.until('repo', { changed_count: 1 });
    write('repo', 'two');
    kit.watching.worked('repo');
    await kit.until('repo', { changed_count: 2 });
    rmSync(kit.path('repo', 'one'));
    kit.watching.shown('repo');
    await kit.until('repo', { changed_count: 1 });
  });

  it('mean nothing to those who watch another repository', async () => {
    kit.repo('repo');
    kit.repo('other');
    kit.watch('repo', 'other');
    await kit.until('repo', { dirty: false });
    await kit.until('other', { dirty: false });
    await kit.quietFor(QUIET_MS);
    const before = kit.runs().length;
    kit.watching.printed('nobody');
    write('repo', 'one');
    kit.watching.printed('repo');
    await kit.until('repo', { dirty: true });
    expect(kit.of('other')).toMatchObject({ dirty: false });
    expect(kit.runs().length - before).toBe(1);
  });
});

describe('what comes and goes', () => {
  it('is no repository until git init, and none after it was deleted', async () => {
    mkdirSync(kit.path('folder'));
    kit.watch('folder');
    await kit.until('folder', null);
    kit.git('folder', 'init', '-q', '-b', 'main');
    await kit.until('folder', { branch: 'main' });
    rmSync(kit.path('folder', '.git'), { recursive: true });
    await kit.until('folder', null);
  });

  it('is found in a folder above, when a terminal has printed', async () => {
    mkdirSync(kit.path('top', 'deep'), { recursive: true });
    kit.watch('top/deep');
    await kit.until('top/deep', null);
    kit.git('top', 'init', '-q', '-b', 'main');
    kit.watching.printed('top/deep');
    await kit.until('top/deep', { branch: 'main', root: kit.path('top') });
    kit.git('top/deep', 'init', '-q', '-b', 'inner');
    kit.watching.printed('top/deep');
    await kit.until('top/deep', { branch: 'inner', root: kit.path('top/deep') });
  });

  it('is a worktree that is removed and made again, by whomever', async () => {
    kit.repo('repo');
    kit.git('repo', 'worktree', 'add', '-q', '-b', 'fix', kit.path('trees', 'fix'));
    kit.watch('trees/fix');
    await kit.until('trees/fix', { branch: 'fix' });
    kit.git('repo', 'worktree', 'remove', kit.path('trees', 'fix'));
    await kit.until('trees/fix', null);
    kit.git('repo', 'worktree', 'add', '-q', kit.path('trees', 'fix'), 'fix');
    await kit.until('trees/fix', { branch: 'fix' });
  });

  it('F6: is a worktree whose folder alone was deleted', async () => {
    kit.repo('repo');
    kit.git('repo', 'worktree', 'add', '-q', '-b', 'fix', kit.path('trees', 'fix'));
    kit.watch('trees/fix');
    await kit.until('trees/fix', { branch: 'fix' });
    rmSync(kit.path('trees'), { recursive: true });
    await kit.until('trees/fix', null);
    kit.git('repo', 'worktree', 'prune');
    kit.git('repo', 'worktree', 'add', '-q', kit.path('trees', 'fix'), 'fix');
    await kit.until('trees/fix', { branch: 'fix' });
  });

  it('is a repository that another takes the place of', async () => {
    kit.repo('repo');
    kit.repo('other');
    kit.git('other', 'branch', '-m', 'else');
    kit.watch('repo');
    await kit.until('repo', { branch: 'main' });
    renameSync(kit.path('repo', '.git'), kit.path('old.git'));
    renameSync(kit.path('other', '.git'), kit.path('repo', '.git'));
    await kit.until('repo', { branch: 'else' });
    kit.git('repo', 'branch', '-m', 'anew');
    await kit.until('repo', { branch: 'anew' });
  });

  it('leaves no watch behind', async () => {
    kit.repo('repo');
    mkdirSync(kit.path('folder'));
    kit.watch('repo', 'folder', 'nowhere/at/all');
    await kit.until('repo', { branch: 'main' });
    await kit.until('folder', null);
    await kit.until('nowhere/at/all', null);
    expect(kit.watching.watchers).toBeGreaterThanOrEqual(3);
    expect(kit.watching.watchers).toBeLessThanOrEqual(6);
    kit.watch();
    expect(kit.watching.watchers).toBe(0);
  });
});

describe('what it costs', () => {
  it('is one look or two for a thousand changes of refs in a second', async () => {
    kit.repo('repo');
    kit.commit('repo', 'second');
    kit.watch('repo');
    await kit.until('repo', { branch: 'main', dirty: false });
    await kit.quietFor(QUIET_MS);
    const before = kit.runs().length;
    const commits = kit.git('repo', 'rev-list', 'main').trim().split('\n');
    const steps = Array.from({ length: 1000 }, (_, index) => commits[(index + 1) % commits.length]);
    const storm = steps.map((commit) => `start\nupdate refs/heads/main ${commit}\nprepare\ncommit\n`);
    kit.feed(storm.join(''), 'repo', 'update-ref', '--stdin');
    await kit.until('repo', { head: steps.at(-1) ?? null });
    await kit.quietFor(QUIET_MS);
    expect(kit.runs().length - before).toBeLessThanOrEqual(4);
  });

  it('is nothing for a thousand branches that nobody is on', async () => {
    kit.repo('repo');
    kit.watch('repo');
    await kit.until('repo', { branch: 'main' });
    await kit.quietFor(QUIET_MS);
    const before = kit.runs().length;
    const head = kit.git('repo', 'rev-parse', 'HEAD').trim();
    const refs = Array.from({ length: 1000 }, (_, index) => `create refs/heads/b${index} ${head}\n`);
    kit.feed(refs.join(''), 'repo', 'update-ref', '--stdin');
    await kit.quietFor(QUIET_MS);
    expect(kit.runs()).toHaveLength(before);
  });

  it('is nothing at all while nothing happens', async () => {
    kit.repo('repo');
    kit.watch('repo', 'none');
    await kit.until('repo', { branch: 'main' });
    await kit.until('none', null);
    // The look that closes the gap between the first one and its watches.
    await kit.quietFor(QUIET_MS);
    const before = kit.runs().length;
    await delay(IDLE_MS);
    expect(kit.runs()).toHaveLength(before);
  });

  it('is no watch on a folder that is full of noise, and still what is printed there counts', async () => {
    mkdirSync(kit.path('noisy'));
    kit.watch('noisy');
    await kit.until('noisy', null);
    const before = kit.runs().length;
    for (let index = 0; index < 1000; index++) write('noisy', `f${index}`);
    await waitFor('the watch is given up', () => kit.watching.watchers === 0);
    kit.watching.printed('noisy');
    await kit.quietFor(QUIET_MS);
    expect(kit.runs()).toHaveLength(before);
    kit.git('noisy', 'init', '-q', '-b', 'main');
    kit.watching.printed('noisy');
    await kit.until('noisy', { branch: 'main' });
  });
});
