import { join } from 'node:path';
import { runGit } from './support/git.mjs';
import { largeRepository } from './support/large-repository.mjs';
import { median, timed } from './support/stats.mjs';

const FULL = { files: 50_000, commits: 10_000 };
const QUICK = { files: 5_000, commits: 1_000 };

/** Status and first page of a diff of a large repository, over the socket of the yard, beside git itself. */
export async function git({ client, dir, quick }) {
  const size = quick ? QUICK : FULL;
  const directory = join(dir, 'large');
  const made = await largeRepository(directory, size);
  const runs = quick ? 10 : 30;
  const status = () => client.call('workspace.git.status', { directory });
  const diff = () => client.call('workspace.git.diff', { directory });
  check(await status(), await diff(), made);
  const of = `of ${size.files} files, ${size.commits} commits`;
  return [
    row(`status ${of}`, 'git status --porcelain=v2', await inTurns(runs, status, 'status', '--porcelain=v2')),
    row(`first diff page ${of}`, 'git diff HEAD', await inTurns(runs, diff, 'diff', 'HEAD')),
  ];

  /** One after the other, so that what else the machine does meets both. */
  async function inTurns(count, ours, ...args) {
    const samples = { ours: [], other: [] };
    for (let i = 0; i < count; i++) {
      samples.ours.push((await timed(ours)).ms);
      samples.other.push((await timed(() => runGit(directory, ...args))).ms);
    }
    return samples;
  }
}

const row = (what, than, { ours, other }) => ({
  what,
  unit: 'ms',
  ours: median(ours),
  other: median(other),
  than,
  better: 'lower',
});

function check({ counts, hidden }, { files, next_cursor }, { changed, untracked }) {
  const told = counts.staged + counts.unstaged + counts.untracked;
  if (told !== changed + untracked || hidden !== 0) throw new Error(`the status is not whole: ${told} files`);
  if (files.length !== changed + untracked || next_cursor !== null) throw new Error('the diff is not whole');
}
