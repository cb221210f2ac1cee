import type { Params, Result } from '@switchyard/protocol';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { cleanText } from '../domain/clean-text.js';
import { setupLines, statusLines, worktreeRow } from '../domain/worktree-lines.js';
import { mergeWorktree } from './worktree-merge.js';
import { doctorWorktrees, recoverWorktree, removeWorktree } from './worktree-removal.js';
import { given, named, noMore, placeOf, repoOf, which } from './worktree-target.js';

/** A checkout of a large repository takes minutes; the yard gives up first. */
const CHECKOUT_TIMEOUT_MS = 305_000;
const HEADING = ['BRANCH', 'WORKSPACE', 'STATE', 'PATH'];
const COLOURS: Record<string, 'yellow' | 'red'> = { locked: 'yellow', missing: 'red', 'locked, missing': 'red' };

type Action = (context: Context, what: readonly string[], options: Options) => Promise<void>;

/** What `sy worktree` can do, by the first argument. */
const ACTIONS: Readonly<Record<string, Action>> = {
  list,
  create,
  open,
  status,
  attach,
  merge: mergeWorktree,
  remove: removeWorktree,
  recover: recoverWorktree,
  doctor: doctorWorktrees,
  setup,
  trust,
};

export const worktree: Run = async (context, [action = '', ...what], options) => {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run === undefined) {
    const said = action === '' ? '' : `unknown subcommand ${action}: `;
    throw new UsageError(`${said}say one of ${Object.keys(ACTIONS).join(', ')}`);
  }
  await run(context, what, options);
  return undefined;
};

async function list(context: Context, what: readonly string[], options: Options): Promise<void> {
  noMore(what, 0);
  const { out } = context;
  out.result(await context.call('worktree.list', repoOf(options)), ({ worktrees }) =>
    out.table(HEADING, worktrees.map(worktreeRow), (cell) => COLOURS[cell]),
  );
}

async function create(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [branch] = what;
  if (branch === undefined) throw new UsageError('say for which branch');
  noMore(what, 1);
  const path = text(options, 'path');
  const params: Params<'worktree.create'> = {
    ...repoOf(options),
    branch,
    ...given(options, 'base', 'layout', 'title'),
    ...(path !== undefined && { path: placeOf(path) }),
    ...(options['setup'] === false && { setup: false }),
    ...(flag(options, 'focus') && { focus: true }),
  };
  const made = await context.call('worktree.create', params, context.globals.timeout ?? CHECKOUT_TIMEOUT_MS);
  context.out.result(made, () => `${made.workspace_ref} ${cleanText(made.worktree.path)}`);
  if (context.out.asJson) return;
  const notes = [
    ...(made.recovered === null ? [] : [`An earlier run: ${made.recovered.detail}`]),
    ...(made.created ? [] : ['The worktree was there already.']),
    ...made.warnings,
    ...setupLines(made.setup),
  ];
  for (const note of notes) context.out.note(cleanText(note));
}

async function open(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [target] = what;
  noMore(what, 1);
  if (flag(options, 'all')) {
    if (target !== undefined || flag(options, 'focus')) {
      throw new UsageError('--all opens every worktree: it goes with no PATH-OR-BRANCH and not with --focus');
    }
    return openAll(context, options);
  }
  if (target === undefined) throw new UsageError('say which: PATH-OR-BRANCH, or --all');
  const opened = await context.call('worktree.open', {
    ...repoOf(options),
    ...which(target),
    ...given(options, 'title'),
    ...(flag(options, 'focus') && { focus: true }),
  });
  context.out.result(opened, () => `${opened.workspace_ref} ${cleanText(opened.worktree.path)}`);
}

/** Every linked worktree whose folder is there; the main checkout is where one works already. */
async function openAll(context: Context, options: Options): Promise<void> {
  const { repo, worktrees } = await context.call('worktree.list', repoOf(options));
  const opened: Result<'worktree.open'>[] = [];
  for (const { path, is_main, is_missing } of worktrees) {
    if (!is_main && !is_missing) opened.push(await context.call('worktree.open', { repo, path }));
  }
  context.out.result({ opened }, () =>
    opened.map(({ workspace_ref, worktree: { path } }) => `${workspace_ref} ${cleanText(path)}`),
  );
}

async function status(context: Context, what: readonly string[], options: Options): Promise<void> {
  const found = await context.call('worktree.status', { ...repoOf(options), ...(await named(context, what, options)) });
  context.out.result(found, statusLines);
}

async function attach(context: Context, what: readonly string[], options: Options): Promise<void> {
  const params = { ...repoOf(options), ...(await named(context, what, options)) };
  const workspace_id = text(options, 'workspace') ?? (await ownWorkspace(context));
  const attached = await context.call('worktree.attach', { ...params, workspace_id });
  context.out.result(attached, () => `${attached.workspace_ref} ${cleanText(attached.worktree.path)}`);
}

async function setup(context: Context, what: readonly string[], options: Options): Promise<void> {
  const params = { ...repoOf(options), ...(await named(context, what, options)) };
  const done = await context.call('worktree.setup', params, context.globals.timeout ?? CHECKOUT_TIMEOUT_MS);
  context.out.result(done, () => {
    const lines = setupLines(done.setup).map((line) => cleanText(line));
    return lines.length > 0 ? lines : 'There is nothing to set up.';
  });
}

async function trust(context: Context, what: readonly string[], options: Options): Promise<void> {
  noMore(what, 0);
  const answer = await context.call('worktree.trust', {
    ...repoOf(options),
    ...(flag(options, 'dryRun') && { dry_run: true }),
    ...(flag(options, 'revoke') && { trusted: false }),
  });
  context.out.result(answer, ({ file, state, detail, copy, run }) => [
    `${cleanText(file)}: ${state}${detail === null ? '' : ` (${cleanText(detail)})`}`,
    ...copy.map((pattern) => `  copy  ${cleanText(pattern)}`),
    ...run.map((command) => `  run   ${cleanText(command)}`),
  ]);
}

async function ownWorkspace(context: Context): Promise<string> {
  const surface = context.callerSurface;
  const { workspace_id } = await context.call(
    'workspace.current',
    surface === undefined ? {} : { surface_id: surface },
  );
  return workspace_id;
}
