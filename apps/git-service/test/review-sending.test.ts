import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReviewYard, SOURCE } from './review-yard.js';

let yard: ReviewYard;
beforeEach(async () => {
  yard = new ReviewYard();
  yard.write('a.txt', 'one\ntwo\nthree\n');
  yard.commit();
  yard.start();
  await yard.open();
});
afterEach(() => yard.end());

const comment = (start_line: number, text: string) =>
  yard.call('review.comment.add', { file_path: 'a.txt', start_line, text });
const texts = async () => (await yard.call('review.comment.list', {})).comments.map(({ text }) => text);
const send = (more: object = {}) => yard.call('review.send_comments', more);
const typed = () => [...yard.typed.values()].map(({ prompt }) => prompt.text);
const refused = (code: string) => expect.objectContaining({ code });

describe('review.send_comments', () => {
  it('sends all comments as one prompt to the reviewed surface, with its receipt, and removes them', async () => {
    await comment(3, 'why\nthree?');
    await comment(1, 'first');
    const sent = await send();
    expect(sent).toMatchObject({ sent_count: 2, target_surface_id: SOURCE, receipt: { outcome: 'delivered' } });
    expect(typed()).toEqual(['Code review comments (2):\n\na.txt:1 — first\na.txt:3 — why / three?']);
    const [{ prompt } = { prompt: null }] = yard.typed.values();
    expect(prompt).toMatchObject({ surface_id: SOURCE, wait: false, working_grace_ms: 0 });
    expect(await texts()).toEqual([]);
  });

  it('does nothing when there is nothing to send', async () => {
    expect(await send()).toMatchObject({ sent_count: 0, target_surface_id: SOURCE, window_id: 'W', receipt: null });
    expect(typed()).toEqual([]);
  });

  it('begins with what the caller says', async () => {
    await comment(1, 'x');
    await send({ preamble: 'Please fix' });
    expect(typed()).toEqual(['Please fix\n\na.txt:1 — x']);
  });

  it('keeps the comments when the agent cannot be talked to, and sends them with later ones', async () => {
    await comment(1, 'first');
    yard.fates = [{ refuse: 'agent_not_ready' }];
    await expect(send()).rejects.toEqual(refused('agent_not_ready'));
    expect(await texts()).toEqual(['first']);
    await comment(2, 'second');
    expect(await send()).toMatchObject({ sent_count: 2 });
    expect(typed()).toHaveLength(1);
  });

  it('answers a repeat of a request from the first run', async () => {
    await comment(1, 'x');
    const first = await yard.call('review.send_comments', {}, { requestId: 'r' });
    await comment(2, 'y');
    yard.crash();
    expect(await yard.call('review.send_comments', {}, { requestId: 'r' })).toEqual(first);
    expect(await texts()).toEqual(['y']);
  });

  it('types a message once when it does not hear what became of it, and goes on with the rest', async () => {
    await comment(1, 'first');
    yard.fates = [{ lose: 'timeout' }];
    await expect(send()).rejects.toEqual(refused('timeout'));
    expect(await texts()).toEqual(['first']);
    await comment(2, 'second');
    expect(await send()).toMatchObject({ sent_count: 2 });
    expect(typed()).toEqual([
      'Code review comments (1):\n\na.txt:1 — first',
      'Code review comments (1):\n\na.txt:2 — second',
    ]);
    expect(await texts()).toEqual([]);
  });

  it('finds out after a crash that a message has arrived', async () => {
    await comment(1, 'first');
    yard.fates = [{ lose: 'timeout' }];
    await expect(send()).rejects.toEqual(refused('timeout'));
    yard.crash();
    await waitFor('the comment is gone', async () => (await texts()).length === 0);
    expect(await send()).toMatchObject({ sent_count: 0 });
    expect(typed()).toHaveLength(1);
  });

  it('after a crash before anything was typed sends the same message', async () => {
    await comment(1, 'first');
    yard.fates = [{ refuse: 'service_unavailable' }];
    await expect(send()).rejects.toEqual(refused('service_unavailable'));
    yard.crash();
    expect(await send()).toMatchObject({ sent_count: 1 });
    expect(typed()).toHaveLength(1);
    expect(await texts()).toEqual([]);
  });

  it('says that the text stands in the composer, and sends it anew only when forced', async () => {
    await comment(1, 'first');
    yard.fates = [{ receipt: { outcome: 'not_submitted', stage: 'seen_in_composer' } }];
    await expect(send()).rejects.toEqual(refused('agent_not_ready'));
    await expect(send()).rejects.toEqual(refused('agent_not_ready'));
    expect(typed()).toHaveLength(1);
    expect(await texts()).toEqual(['first']);
    expect(await send({ force: true })).toMatchObject({ sent_count: 1 });
    expect(typed()).toHaveLength(2);
  });

  it('counts a message to a program that is no agent as sent once Enter was pressed', async () => {
    await comment(1, 'first');
    yard.fates = [{ receipt: { outcome: 'not_submitted', stage: 'written', agent: null } }];
    expect(await send()).toMatchObject({ sent_count: 1, receipt: { agent: null } });
    expect(await texts()).toEqual([]);
  });
});
