import type { Result } from '@switchyard/protocol';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { linePlace } from '../domain/line-place.js';
import {
  type Comment,
  fateText,
  fileLines,
  ID_CHARS,
  placeText,
  type ReviewFile,
  strayLines,
} from '../domain/review-lines.js';
import { surfaceOf } from './place.js';
import { readStdin } from './stdin.js';

type Panel = { workspace_id?: string; surface_id?: string };
type Action = (context: Context, what: readonly string[], options: Options) => Promise<void>;

const HEADING = ['COMMENT', 'WHERE', 'LINES', 'TEXT'];
const COLOURS = { stale: 'red', changed: 'yellow' } as const;
/** To paste a message, enter it and see that it was taken. */
const SEND_MS = 30_000;

const ACTIONS: Readonly<Record<string, Action>> = { open, show, refresh, add, list, remove, send, close };

/** `sy review`: the changes in a worktree, comments on them, and their way to the agent. */
export const review: Run = async (context, [action = 'show', ...what], options) => {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run === undefined) throw new UsageError(`say one of ${Object.keys(ACTIONS).join(', ')}`);
  await run(context, what, options);
  return undefined;
};

async function open(context: Context, [surface, ...more]: readonly string[], options: Options): Promise<void> {
  noMore(more);
  const base = text(options, 'base');
  const isBranch = flag(options, 'branch') || base !== undefined;
  const direction = text(options, 'direction');
  const opened = await context.call('review.open', {
    ...surfaceOf(context, surface),
    mode: isBranch ? 'branch' : 'uncommitted',
    ...(base !== undefined && { base_branch: base }),
    ...(direction !== undefined && { direction: direction as 'left' | 'right' | 'up' | 'down' }),
    ...(flag(options, 'focus') && { focus: true }),
  });
  if (opened.restored_comment_count > 0) {
    const count = opened.restored_comment_count;
    context.out.note(
      count === 1 ? '1 comment, not sent yet, is here again.' : `${count} comments, not sent yet, are here again.`,
    );
  }
  context.out.result(
    opened,
    ({ surface_ref, base_branch }) => `${surface_ref} ${countText(opened)} against ${base_branch}`,
  );
}

async function show(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const panel = panelOf(context, options);
  const shown = paths.length === 0 ? await allFiles(context, panel) : await someFiles(context, panel, paths);
  const { comments } = await context.call('review.comment.list', panel);
  const { out } = context;
  const paint = out.paint.bind(out);
  out.result({ ...shown, comments }, ({ files, surface_ref, base_branch }) => [
    out.paint('dim', `${surface_ref} ${countText(shown)} against ${base_branch}`),
    ...files.flatMap((file) => fileLines(file, comments, paint)),
    ...(paths.length === 0 ? strayLines(files, comments, paint) : []),
  ]);
}

async function refresh(context: Context, more: readonly string[], options: Options): Promise<void> {
  noMore(more);
  const refreshed = await context.call('review.refresh', panelOf(context, options));
  context.out.result(refreshed, () => countText(refreshed));
}

async function add(context: Context, [where = '', ...words]: readonly string[], options: Options): Promise<void> {
  const place = linePlace(where);
  if (place === undefined) throw new UsageError('say FILE:LINE or FILE:FIRST-LAST, and the comment');
  const comment = words.length > 0 ? words.join(' ') : await readStdin();
  const added = await context.call('review.comment.add', { ...panelOf(context, options), ...place, text: comment });
  context.out.result(added, ({ comment_id }) => comment_id.slice(0, ID_CHARS).toLowerCase());
}

async function list(context: Context, more: readonly string[], options: Options): Promise<void> {
  noMore(more);
  const listed = await context.call('review.comment.list', panelOf(context, options));
  const { out } = context;
  out.result(listed, ({ comments }) =>
    comments.length === 0
      ? ['No comments wait to be sent.']
      : out.table(HEADING, comments.map(rowOf), (cell) => COLOURS[cell as keyof typeof COLOURS]),
  );
}

const rowOf = (comment: Comment): string[] => [
  comment.id.slice(0, ID_CHARS).toLowerCase(),
  placeText(comment),
  fateText(comment),
  comment.text,
];

async function remove(context: Context, [id, ...more]: readonly string[], options: Options): Promise<void> {
  noMore(more);
  if (id === undefined) throw new UsageError('say which comment: `sy review list` has their ids');
  const panel = panelOf(context, options);
  const { comments } = await context.call('review.comment.list', panel);
  const found = comments.filter((comment) => comment.id.startsWith(id.toUpperCase()));
  if (found.length > 1) throw new UsageError(`${found.length} comments begin with ${id}`);
  const removed = await context.call('review.comment.remove', { ...panel, comment_id: found[0]?.id ?? id });
  context.out.result(removed, () => []);
}

async function send(context: Context, more: readonly string[], options: Options): Promise<void> {
  noMore(more);
  const preamble = text(options, 'preamble');
  const params = {
    ...panelOf(context, options),
    ...(preamble !== undefined && { preamble }),
    ...(flag(options, 'force') && { force: true }),
  };
  const sent = await context.call('review.send_comments', params, context.globals.timeout ?? SEND_MS);
  context.out.result(sent, ({ sent_count, target_surface_ref, receipt }) =>
    receipt === null ? 'No comments wait to be sent.' : `${sent_count} to ${target_surface_ref}: ${receipt.stage}`,
  );
}

async function close(context: Context, more: readonly string[], options: Options): Promise<void> {
  noMore(more);
  context.out.result(await context.call('review.close', panelOf(context, options)), ({ surface_ref }) => surface_ref);
}

/** The review that is named, else one of the workspace that the command was typed in, else of the selected one. */
function panelOf({ env, callerSurface }: Context, options: Options): Panel {
  const named = text(options, 'review');
  if (named !== undefined) return { surface_id: named };
  const workspace = callerSurface === undefined ? undefined : env['SWITCHYARD_WORKSPACE_ID'];
  return workspace === undefined ? {} : { workspace_id: workspace };
}

async function allFiles(context: Context, panel: Panel): Promise<Result<'review.get'>> {
  const first = await context.call('review.get', panel);
  const files: ReviewFile[] = [...first.files];
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const page = await context.call('review.get', { ...panel, cursor });
    files.push(...page.files);
    cursor = page.next_cursor;
  }
  return { ...first, files, next_cursor: null };
}

async function someFiles(context: Context, panel: Panel, paths: readonly string[]): Promise<Result<'review.get'>> {
  const found = await Promise.all(paths.map((file_path) => context.call('review.get', { ...panel, file_path })));
  const [first] = found;
  if (first === undefined) throw new UsageError('say which files');
  return { ...first, files: found.flatMap(({ files }) => files) };
}

function countText({ file_count, diffable_file_count }: { file_count: number; diffable_file_count: number }): string {
  const unshown = file_count - diffable_file_count;
  return `${file_count} ${file_count === 1 ? 'file' : 'files'}${unshown === 0 ? '' : `, ${unshown} not shown`}`;
}

function noMore(more: readonly string[]): void {
  if (more.length > 0) throw new UsageError(`there is no place for: ${more.join(' ')}`);
}
