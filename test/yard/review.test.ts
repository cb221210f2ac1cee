import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { COMPOSER } from './composer-program.js';
import { useYard } from './use-yard.js';

const TEXT = 'one\ntwo\nthree\n';
let count = 0;

describe('a review of what an agent does', () => {
  const yard = useYard();

  /** A repository with one change, a recognised agent in it, and a review of both. */
  async function reviewed(env: Readonly<Record<string, string>> = {}) {
    const repo = join(yard().dir, `repo-${++count}`);
    const log = join(yard().dir, `submitted-${count}.jsonl`);
    mkdirSync(repo);
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...identity, ...args], { stdio: 'pipe' });
    git('init', '-q');
    writeFileSync(join(repo, 'a.txt'), TEXT);
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    writeFileSync(join(repo, 'a.txt'), `zero\n${TEXT}`);
    const client = await yard().client();
    const agent = await client.call('workspace.create', {
      argv: [process.execPath, COMPOSER],
      cwd: repo,
      env: { COMPOSER_LOG: log, COMPOSER_STATUS: '1', SWITCHYARD_AGENT: 'claude-code', ...env },
    });
    await client.call('surface.wait', { surface_id: agent.surface_id, pattern: 'READY' });
    const { surface_id } = await client.call('review.open', { surface_id: agent.surface_id });
    const submitted = (): unknown[] =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
    return { repo, agent: agent.surface_id, surface_id, submitted };
  }

  const restart = async (name: string) => yard().untilRestarted(name, await yard().kill(name));
  const comments = async (surface_id: string) =>
    (await (await yard().client()).call('review.comment.list', { surface_id })).comments;

  it('keeps its comments over kills of every service that has to do with it, and sends them as one prompt', async () => {
    const client = await yard().client();
    const { agent, surface_id, submitted } = await reviewed();
    await client.call('review.comment.add', { surface_id, file_path: 'a.txt', start_line: 1, text: 'why zero?' });
    await restart('git-service');
    await client.call('review.comment.add', {
      surface_id,
      file_path: 'a.txt',
      start_line: 3,
      end_line: 4,
      text: 'and\nthese',
    });
    await restart('workspace-service');
    expect(await comments(surface_id)).toMatchObject([{ start_line: 1 }, { start_line: 3, excerpt: 'two\nthree' }]);
    const sent = await client.call('review.send_comments', { surface_id });
    expect(sent).toMatchObject({ sent_count: 2, target_surface_id: agent, receipt: { outcome: 'delivered' } });
    const text = 'Code review comments (2):\n\na.txt:1 — why zero?\na.txt:3-4 — and / these';
    expect(submitted()).toEqual([{ text, mode: 'prompt' }]);
    expect(await comments(surface_id)).toEqual([]);
  });

  it.each(['git-service', 'workspace-service'])(
    'submits a message once when %s is killed while it is sent',
    async (name) => {
      const client = await yard().client();
      const { surface_id, submitted } = await reviewed({ COMPOSER_PAINT_MS: '300' });
      await client.call('review.comment.add', { surface_id, file_path: 'a.txt', start_line: 1, text: 'only once' });
      const sending = client.call('review.send_comments', { surface_id }).catch(() => undefined);
      await restart(name);
      await sending;
      await waitFor('what became of the message is known', async () => {
        await client.call('review.send_comments', { surface_id }).catch(() => undefined);
        return submitted().length > 0 || (await comments(surface_id)).length > 0;
      });
      expect(submitted().length).toBeLessThanOrEqual(1);
      if ((await comments(surface_id)).length === 0) expect(submitted()).toHaveLength(1);
    },
  );

  it('refreshes itself when the agent stops working, and the comments follow their lines', async () => {
    const client = await yard().client();
    const { repo, agent, surface_id } = await reviewed();
    await client.call('review.comment.add', { surface_id, file_path: 'a.txt', start_line: 4, text: 'this one' });
    writeFileSync(join(repo, 'a.txt'), `head\nzero\n${TEXT}`);
    await client.call('agent.prompt', { surface_id: agent, text: 'Do something.' });
    await waitFor('it is refreshed', async () => (await client.call('review.get', { surface_id })).generation > 1);
    expect(await comments(surface_id)).toMatchObject([{ start_line: 5, is_stale: false, is_changed: false }]);
  });

  it('is shown, commented on and sent with the command line', async () => {
    const { agent, surface_id, submitted } = await reviewed();
    const review = async (...args: string[]) => {
      const { code, stdout, stderr } = await yard().cli('review', ...args, '--review', surface_id);
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    const id = (await review('add', 'a.txt:1', 'why', 'zero?')).trim();
    expect(await review('show')).toContain(`▸ 1 ${id}: why zero?`);
    expect(await review('list')).toMatch(new RegExp(`${id}  a.txt:1 +why zero\\?`));
    expect(await review('send', '--preamble', 'Look:')).toMatch(/^1 to surface:\d+: /);
    expect(submitted()).toMatchObject([{ text: 'Look:\n\na.txt:1 — why zero?' }]);
    await review('close');
    const { surfaces } = await (await yard().client()).call('surface.list', { surface_id: agent });
    expect(surfaces.map(({ type }) => type)).toEqual(['terminal']);
  });
});
