import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from './git.mjs';

const FILES_A_FOLDER = 100;
const LINES_A_FILE = 40;
/** What a developer has changed at the end of a long day; all of it fits on one page. */
const CHANGED = 150;
const STAGED = 30;
const NEW = 20;

const pathOf = (n) => `src/part-${Math.floor(n / FILES_A_FOLDER)}/file-${n % FILES_A_FOLDER}.txt`;
const line = (n, at) => `line ${at} of file ${n}: what the quick brown fox jumps over`;
const contentOf = (n, last = '') =>
  `${Array.from({ length: LINES_A_FILE }, (_, at) => line(n, at)).join('\n')}\n${last}`;

/**
 * Makes a repository with a history, and a worktree in which some files are changed, some staged and some new.
 *
 * @param {string} folder
 * @param {{files: number, commits: number}} size
 */
export async function largeRepository(folder, { files, commits }) {
  mkdirSync(folder);
  await runGit(folder, 'init', '-q', '-b', 'main');
  await history(folder, files, commits);
  await runGit(folder, 'reset', '-q', '--hard');
  const changed = Array.from({ length: CHANGED }, (_, i) => pathOf(Math.floor((i * files) / CHANGED)));
  for (const path of changed) change(join(folder, path));
  await runGit(folder, 'add', '--', ...changed.slice(0, STAGED));
  for (let n = 0; n < NEW; n++) writeFileSync(join(folder, `src/part-${n}/new.txt`), contentOf(n));
  // As after any command of a user: times of unchanged files are in the index, and a commit graph is there.
  await runGit(folder, 'status');
  return { changed: CHANGED, untracked: NEW };
}

function change(path) {
  writeFileSync(path, readFileSync(path, 'utf8').replace('line 20 ', 'changed line 20 '));
  appendFileSync(path, 'one more line\n');
}

/** All files come with the first commit; each of the others changes one. */
async function history(folder, files, commits) {
  const git = spawn('git', ['-C', folder, 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] });
  const gone = once(git, 'exit');
  const write = async (text) => {
    if (!git.stdin.write(text)) await once(git.stdin, 'drain');
  };
  const file = (n, content) => `M 100644 inline ${pathOf(n)}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  const commit = (n) =>
    `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + n * 60} +0000\ndata 8\ncommit\n\n\n`;
  await write(commit(0));
  for (let n = 0; n < files; n++) await write(file(n, contentOf(n)));
  for (let n = 1; n < commits; n++) await write(commit(n) + file((n * 7) % files, contentOf(n, `commit ${n}\n`)));
  git.stdin.end();
  const [code] = await gone;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}
