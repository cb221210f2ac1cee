import { relative, resolve } from 'node:path';
import type { Params, Result } from '@switchyard/protocol';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { diffLines } from '../domain/diff-lines.js';
import { folderOf, type Where } from './git-folder.js';

type Question = Params<'workspace.git.diff'>;
type Page = Result<'workspace.git.diff'>;

export const diff: Run = async (context, paths, options) => {
  const where = folderOf(options);
  const question: Question = {
    ...where,
    ...comparisonOf(options),
    ...(paths.length > 0 && { paths: await fromTop(context, where, paths) }),
  };
  await (context.out.asJson ? showAsOne(context, question) : showAsTheyCome(context, question));
  return undefined;
};

async function showAsOne(context: Context, question: Question): Promise<void> {
  const pages: Page[] = [];
  for await (const page of pagesOf(context, question)) pages.push(page);
  context.out.json({ ...pages.at(-1), files: pages.flatMap(({ files }) => files) });
}

async function showAsTheyCome(context: Context, question: Question): Promise<void> {
  const { out } = context;
  let count = 0;
  for await (const { files, untracked_omitted, next_cursor } of pagesOf(context, question)) {
    if (count > 0 && files.length > 0) out.line('');
    count += files.length;
    for (const line of diffLines(files, (colour, part) => out.paint(colour, part))) out.line(line);
    if (next_cursor !== null) continue;
    if (untracked_omitted > 0) out.note(`${untracked_omitted} further files that git does not know`);
    else if (count === 0) out.note('Nothing has changed.');
  }
}

/** When the tree changes between two pages that is an error: what has been shown is of a state that is gone. */
async function* pagesOf(context: Context, question: Question): AsyncGenerator<Page> {
  let page = await context.call('workspace.git.diff', question);
  yield page;
  while (page.next_cursor !== null) {
    page = await context.call('workspace.git.diff', { ...question, cursor: page.next_cursor });
    yield page;
  }
}

function comparisonOf(options: Options): Pick<Question, 'mode' | 'base_branch'> {
  const base = text(options, 'base');
  const [staged, unstaged, branch] = ['staged', 'unstaged', 'branch'].map((name) => flag(options, name));
  if ([staged, unstaged, branch === true || base !== undefined].filter(Boolean).length > 1) {
    throw new UsageError('give one of --staged, --unstaged, and --branch or --base');
  }
  if (base !== undefined) return { mode: 'branch', base_branch: base };
  if (branch) return { mode: 'branch' };
  return { mode: staged ? 'staged' : unstaged ? 'unstaged' : 'uncommitted' };
}

/** Paths are typed from where one is, and meant from the top of the worktree; of a terminal elsewhere they are from its top. */
async function fromTop(context: Context, where: Where, paths: readonly string[]): Promise<string[]> {
  if (where.directory === undefined) return [...paths];
  const { root } = await context.call('workspace.git.status', { ...where, untracked: false });
  if (root === null) return [...paths];
  const here = where.directory;
  return paths.map((path) => relative(root, resolve(here, path)) || '.');
}
