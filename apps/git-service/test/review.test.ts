import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReviewYard, SOURCE } from './review-yard.js';

const TEN = `${Array.from({ length: 10 }, (_, n) => `line ${n + 1}`).join('\n')}\n`;

let yard: ReviewYard;
beforeEach(() => {
  yard = new ReviewYard();
  yard.write('a.txt', TEN);
  yard.write('gone.txt', 'old\n');
  yard.commit();
  yard.start();
});
afterEach(() => yard.end());

const comment = (file_path: string, start_line: number, text = 'a remark', end_line = start_line) =>
  yard.call('review.comment.add', { file_path, start_line, end_line, text });
const comments = async () => (await yard.call('review.comment.list', {})).comments;
const files = async () => (await yard.call('review.get', {})).files;
const refused = (code: string) => expect.objectContaining({ code });
const edit = (path: string, from: string, to: string) => yard.write(path, yard.read(path).replace(from, to));

describe('review.open', () => {
  it('shows what is not committed, untracked files as well, each with its hunks', async () => {
    edit('a.txt', 'line 2', 'line two');
    yard.write('new.txt', 'brand new\n');
    yard.write('blob.bin', Buffer.from([0, 1, 2]));
    const opened = await yard.call('review.open', { direction: 'down' });
    expect(opened).toMatchObject({ mode: 'uncommitted', base_branch: 'HEAD', file_count: 3, diffable_file_count: 2 });
    expect(yard.panels.get(opened.surface_id)).toMatchObject({
      source_surface_id: SOURCE,
      direction: 'down',
      focus: false,
    });
    expect(await files()).toMatchObject([
      { path: 'a.txt', status: 'modified', diffable: true, additions: 1, deletions: 1, hunks: [{ new_start: 1 }] },
      { path: 'blob.bin', kind: 'binary', diffable: false, hunks: [] },
      { path: 'new.txt', untracked: true, diffable: true, hunks: [{ lines: [{ kind: 'added', text: 'brand new' }] }] },
    ]);
  });

  it('shows a branch from where it left its base, with what is not committed, and falls back to main', async () => {
    yard.git('checkout', '-q', '-b', 'work');
    edit('a.txt', 'line 1\n', 'line one\n');
    yard.commit();
    yard.write('later.txt', 'x\n');
    const opened = await yard.call('review.open', { mode: 'branch', base_branch: 'origin/nowhere' });
    expect(opened).toMatchObject({ mode: 'branch', base_branch: 'main', file_count: 2 });
    yard.git('branch', '-m', 'main', 'trunk');
    await expect(yard.open({ mode: 'branch' })).rejects.toEqual(refused('not_found'));
  });

  it('lists a file above 400 000 bytes and does not show it', async () => {
    yard.write('large.txt', 'x'.repeat(99).concat('\n').repeat(4001));
    const opened = await yard.call('review.open', {});
    expect(opened).toMatchObject({ file_count: 1, diffable_file_count: 0 });
    expect(await files()).toMatchObject([{ path: 'large.txt', kind: 'too_large', diffable: false, hunks: [] }]);
  });

  it('says which folder is in no worktree, and makes no surface', async () => {
    yard.dir.remove();
    await expect(yard.open()).rejects.toMatchObject({ code: 'unavailable', data: { directory: yard.repo } });
    expect(yard.panels.size).toBe(0);
  });

  it('makes one surface for one request_id, also after a crash that came before the answer', async () => {
    const requestId = 'once';
    const first = await yard.call('review.open', {}, { requestId });
    expect(await yard.call('review.open', {}, { requestId })).toEqual(first);
    yard.crash();
    expect(await yard.call('review.open', {}, { requestId })).toEqual(first);
    expect([...yard.panels.keys()]).toEqual([first.surface_id]);
    await expect(yard.call('review.send_comments', {}, { requestId })).rejects.toEqual(refused('invalid_params'));
  });
});

describe('review.get', () => {
  it('gives pages that belong together, or refuses', async () => {
    for (const name of ['b.txt', 'c.txt', 'd.txt']) yard.write(name, 'new\n');
    await yard.open();
    const first = await yard.call('review.get', { limit: 2 });
    expect(first.files.map(({ path }) => path)).toEqual(['b.txt', 'c.txt']);
    const cursor = first.next_cursor ?? '';
    const second = await yard.call('review.get', { limit: 2, cursor });
    expect(second).toMatchObject({ files: [{ path: 'd.txt' }], next_cursor: null });
    yard.write('e.txt', 'new\n');
    await yard.call('review.refresh', {});
    await expect(yard.call('review.get', { cursor })).rejects.toEqual(refused('snapshot_changed'));
  });

  it('gives one file', async () => {
    edit('a.txt', 'line 2', 'line two');
    await yard.open();
    expect(await yard.call('review.get', { file_path: 'a.txt' })).toMatchObject({ files: [{ path: 'a.txt' }] });
    await expect(yard.call('review.get', { file_path: 'gone.txt' })).rejects.toEqual(refused('not_found'));
  });
});

describe('a comment', () => {
  it('is listed by file and line', async () => {
    edit('a.txt', 'line 2', 'line two');
    yard.write('0.txt', 'new\n');
    await yard.open();
    await comment('a.txt', 7, 'third');
    await comment('a.txt', 2, 'second', 3);
    await comment('0.txt', 1, 'first');
    expect((await comments()).map(({ text, start_line, end_line }) => [text, start_line, end_line])).toEqual([
      ['first', 1, 1],
      ['second', 2, 3],
      ['third', 7, 7],
    ]);
    expect((await comments())[1]).toMatchObject({ excerpt: 'line two\nline 3', is_stale: false, is_changed: false });
  });

  it('may be on any line of a changed file, and on files that have not changed', async () => {
    edit('a.txt', 'line 2', 'line two');
    await yard.open();
    await comment('a.txt', 10);
    await comment('gone.txt', 1);
    expect((await comments()).map(({ excerpt }) => excerpt)).toEqual(['line 10', 'old']);
  });

  it('is refused without a text, a file or lines', async () => {
    await yard.open();
    await expect(comment('a.txt', 1, '  ')).rejects.toEqual(refused('invalid_params'));
    await expect(comment('a.txt', 3, 'x', 2)).rejects.toEqual(refused('invalid_params'));
    await expect(comment('a.txt', 11)).rejects.toMatchObject({ code: 'invalid_params', data: { line_count: 10 } });
    await expect(comment('nowhere.txt', 1)).rejects.toEqual(refused('not_found'));
    await expect(comment('../outside', 1)).rejects.toEqual(refused('not_found'));
    expect(await comments()).toEqual([]);
  });

  it('counts the lines of the text that the review shows, whatever the file has become since', async () => {
    edit('a.txt', 'line 2', 'line two');
    await yard.open();
    yard.write('a.txt', `head\nhead\n${yard.read('a.txt')}`);
    await comment('a.txt', 2);
    expect(await comments()).toMatchObject([{ start_line: 2, excerpt: 'line two' }]);
    await yard.call('review.refresh', {});
    expect(await comments()).toMatchObject([{ start_line: 4, is_changed: false }]);
  });

  it('follows its lines, through a commit and a rename as well, and is stale only while they are gone', async () => {
    edit('a.txt', 'line 5', 'line five is here');
    await yard.open();
    await comment('a.txt', 5);
    const afterwards = async () => {
      await yard.call('review.refresh', {});
      const [{ file_path, start_line, is_stale, is_changed } = { file_path: '' }] = await comments();
      return [file_path, start_line, is_stale, is_changed];
    };
    yard.write('a.txt', `head\n${yard.read('a.txt')}`);
    expect(await afterwards()).toEqual(['a.txt', 6, false, false]);
    yard.commit();
    expect(await afterwards()).toEqual(['a.txt', 6, false, false]);
    edit('a.txt', 'line five is here', 'line five was here');
    expect(await afterwards()).toEqual(['a.txt', 6, false, true]);
    edit('a.txt', 'line five was here\n', '');
    expect(await afterwards()).toEqual(['a.txt', 6, true, true]);
    edit('a.txt', 'line 6', 'line five is here\nline 6');
    expect(await afterwards()).toEqual(['a.txt', 6, false, false]);
    yard.git('mv', 'a.txt', 'b.txt');
    expect(await afterwards()).toEqual(['b.txt', 6, false, false]);
    yard.commit();
    expect(await afterwards()).toEqual(['b.txt', 6, false, false]);
    yard.git('rm', '-q', 'b.txt');
    expect(await afterwards()).toEqual(['b.txt', 6, true, true]);
  });

  it('is on disk before it is answered, and there after a crash, with its review', async () => {
    edit('a.txt', 'line 2', 'line two');
    const id = await yard.open();
    const { comment_id } = await comment('a.txt', 2);
    yard.crash();
    expect(await comments()).toMatchObject([{ id: comment_id, start_line: 2 }]);
    expect(await yard.call('review.get', { surface_id: id })).toMatchObject({
      generation: 1,
      files: [{ path: 'a.txt' }],
    });
  });

  it('is added once for one request_id', async () => {
    await yard.open();
    const params = { file_path: 'a.txt', start_line: 1, text: 'once' };
    const added = await yard.call('review.comment.add', params, { requestId: 'r' });
    yard.crash();
    expect(await yard.call('review.comment.add', params, { requestId: 'r' })).toEqual(added);
    expect(await comments()).toHaveLength(1);
  });

  it('F1: may be on a file of any name, and follows its lines there', async () => {
    const names = ['a -> b', 'a b.txt', 'new\nline', 'q"uote', 'ä.txt'];
    for (const name of names) yard.write(name, 'one\ntwo is the second\n');
    yard.commit();
    for (const name of names) yard.write(name, 'one\ntwo is the next\n');
    await yard.open();
    for (const name of names) await comment(name, 2);
    for (const name of names) yard.write(name, 'zero\none\ntwo is the next\n');
    await yard.call('review.refresh', {});
    const found = (await comments()).map(({ file_path, start_line, is_changed }) => [
      file_path,
      start_line,
      is_changed,
    ]);
    expect(found).toEqual(names.map((name) => [name, 3, false]));
  });

  it('takes a path that begins with ./', async () => {
    await yard.open();
    await comment('./a.txt', 1);
    expect(await comments()).toMatchObject([{ file_path: 'a.txt' }]);
  });

  it('is removed by its id in any case, once', async () => {
    await yard.open();
    const { comment_id } = await comment('a.txt', 1);
    const params = { comment_id: comment_id.toLowerCase() };
    expect(await yard.call('review.comment.remove', params)).toEqual({ ok: true });
    await expect(yard.call('review.comment.remove', params)).rejects.toEqual(refused('not_found'));
    expect(await comments()).toEqual([]);
  });
});

describe('a refresh', () => {
  it('keeps the generation when nothing has changed', async () => {
    await yard.open();
    expect(await yard.call('review.refresh', {})).toMatchObject({ generation: 1, file_count: 0 });
    yard.write('b.txt', 'new\n');
    expect(await yard.call('review.refresh', {})).toMatchObject({ generation: 2, file_count: 1 });
  });

  it('is done by itself when the agent has stopped working, once for each time', async () => {
    const id = await yard.open();
    const generation = async () => (await yard.call('review.get', { surface_id: id })).generation;
    yard.write('b.txt', 'new\n');
    yard.say('working');
    yard.say('idle');
    await waitFor('the review is refreshed', async () => (await generation()) === 2);
    yard.write('c.txt', 'new\n');
    yard.say('idle');
    yard.say('working');
    expect(await generation()).toBe(2);
    yard.say('blocked');
    yard.say('idle');
    await waitFor('the review is refreshed', async () => (await generation()) === 3);
  });

  it('is made up for when the agent has stopped while nobody listened', async () => {
    const id = await yard.open();
    yard.write('b.txt', 'new\n');
    Object.assign(yard, { state: 'idle', since: Date.now() + 1 });
    yard.crash();
    const generation = async () => (await yard.call('review.get', { surface_id: id })).generation;
    await waitFor('the review is refreshed', async () => (await generation()) === 2);
  });
});

describe('a closed review', () => {
  it('leaves its comments to the next one of the same worktree, where they have followed their lines', async () => {
    const first = await yard.open();
    await comment('a.txt', 3, 'still to be said');
    yard.closePanel(first);
    await expect(comments()).rejects.toEqual(refused('not_found'));
    yard.write('a.txt', `head\n${TEN}`);
    const second = await yard.call('review.open', {});
    expect(second.restored_comment_count).toBe(1);
    expect(await comments()).toMatchObject([{ text: 'still to be said', start_line: 4 }]);
    expect(await yard.call('review.open', {})).toMatchObject({ restored_comment_count: 0 });
  });

  it('has its comments when its surface is opened again', async () => {
    const id = await yard.open();
    await comment('a.txt', 3);
    const panel = yard.panels.get(id);
    yard.closePanel(id);
    if (panel) yard.panels.set(id, panel);
    expect(await comments()).toHaveLength(1);
  });

  it('is noticed at the next start when nobody listened', async () => {
    const id = await yard.open();
    await comment('a.txt', 3);
    yard.panels.delete(id);
    yard.crash();
    await waitFor('it counts as closed', async () => (await yard.call('review.open', {})).restored_comment_count === 1);
  });

  it('is made anew when nothing is known of a surface that is there', async () => {
    const id = await yard.open();
    const panel = yard.panels.get(id);
    if (panel) yard.panels.set('STRANGER', { ...panel, surface_id: 'STRANGER' });
    expect(await yard.call('review.get', { surface_id: 'STRANGER' })).toMatchObject({ generation: 1 });
  });
});
