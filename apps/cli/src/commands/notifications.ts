import type { Result } from '@switchyard/protocol';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import {
  DELIVERY_HEADING,
  deliveryRow,
  ID_CHARS,
  NOTIFICATION_HEADING,
  notificationRow,
} from '../domain/notification-lines.js';
import { count } from './count.js';

type Action = (context: Context, words: readonly string[], options: Options) => Promise<void>;

/** What `sy notifications` can do, by the first argument. */
const ACTIONS: Readonly<Record<string, Action>> = { list, read, clear, deliveries, level };

const COLOURS: Record<string, 'red' | 'yellow'> = { '*': 'yellow', failed: 'red' };
const LEVELS = ['quiet', 'normal', 'all', 'default'] as const;
const DELIVERIES = 50;

export const notifications: Run = async (context, [action = 'list', ...words], options) => {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (run === undefined) throw new UsageError(`say one of ${Object.keys(ACTIONS).join(', ')}`);
  await run(context, words, options);
  return undefined;
};

const inWorkspace = (options: Options) => {
  const workspace_id = text(options, 'workspace');
  return workspace_id === undefined ? {} : { workspace_id };
};

async function list(context: Context, _words: readonly string[], options: Options): Promise<void> {
  const [limit, cursor] = [count(options, 'lines'), text(options, 'cursor')];
  const found = await context.call('notification.list', {
    ...inWorkspace(options),
    ...(flag(options, 'unread') && { unread: true }),
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  });
  const now = Date.now();
  context.out.result(found, ({ notifications: rows, next_cursor: next }) => {
    if (rows.length === 0) return ['There are no notifications.'];
    const table = context.out.table(
      NOTIFICATION_HEADING,
      rows.map((row) => notificationRow(row, now)),
      (cell) => COLOURS[cell],
    );
    return next === null ? table : [...table, `Older ones: --cursor ${next}`];
  });
}

async function read(context: Context, words: readonly string[], options: Options): Promise<void> {
  const ids = await idsNamed(context, words);
  const surface_id = text(options, 'surface');
  const chosen = { ...inWorkspace(options), ...(surface_id !== undefined && { surface_id }), ...ids };
  mustChoose(chosen, options);
  const done = await context.call('notification.mark_read', {
    ...chosen,
    ...(flag(options, 'undo') && { is_read: false }),
  });
  context.out.result(done, ({ changed }) => `${changed} marked as ${flag(options, 'undo') ? 'not read' : 'read'}.`);
}

async function clear(context: Context, words: readonly string[], options: Options): Promise<void> {
  const chosen = { ...inWorkspace(options), ...(await idsNamed(context, words)) };
  mustChoose(chosen, options);
  context.out.result(await context.call('notification.clear', chosen), () => []);
}

async function deliveries(context: Context, _words: readonly string[], options: Options): Promise<void> {
  const cursor = text(options, 'cursor');
  const found = await context.call('notification.deliveries', {
    ...inWorkspace(options),
    limit: count(options, 'lines') ?? DELIVERIES,
    ...(cursor !== undefined && { cursor }),
  });
  const now = Date.now();
  context.out.result(found, ({ deliveries: rows, next_cursor: next }) => {
    if (rows.length === 0)
      return ['Nothing was delivered. What delivers is set in config.toml: see docs/notifications.md.'];
    const table = context.out.table(
      DELIVERY_HEADING,
      rows.map((row) => deliveryRow(row, now)),
      (cell) => COLOURS[cell],
    );
    return next === null ? table : [...table, `Older ones: --cursor ${next}`];
  });
}

async function level(context: Context, [wanted]: readonly string[], options: Options): Promise<void> {
  if (wanted === undefined) {
    const rules = await context.call('notification.rules', inWorkspace(options));
    context.out.result(rules, (all) => levelLines(context, all));
    return;
  }
  const known = LEVELS.find((word) => word === wanted);
  if (known === undefined) throw new UsageError(`a level is one of ${LEVELS.join(', ')}`);
  const workspace_id = text(options, 'workspace') ?? (await ownWorkspace(context));
  const done = await context.call('notification.set_level', { workspace_id, level: known });
  context.out.result(done, ({ workspace_ref, level: now }) => `${workspace_ref}: ${now}`);
}

function levelLines(context: Context, { default: otherwise, rules }: Result<'notification.rules'>): string[] {
  const rows = rules.map((rule) => [rule.workspace_ref, rule.level, rule.title]);
  return context.out.table(['WORKSPACE', 'LEVEL', 'TITLE'], [...rows, ['others', otherwise, '']]);
}

/** The workspace this was typed in, else the selected one. */
async function ownWorkspace(context: Context): Promise<string> {
  const surface_id = context.callerSurface;
  const found = await context.call('surface.list', surface_id === undefined ? {} : { surface_id });
  return found.workspace_id;
}

/** Without a choice everything would be meant: that has to be said. */
function mustChoose(chosen: object, options: Options): void {
  if (Object.keys(chosen).length === 0 && !flag(options, 'all')) {
    throw new UsageError('say which: their ids, --workspace, or --all');
  }
}

/** Ids, or beginnings of ids as the list shows them. */
async function idsNamed(context: Context, words: readonly string[]): Promise<{ ids?: string[] }> {
  if (words.length === 0) return {};
  const { notifications: all } = await context.call('notification.list', {});
  const ids = words.map((word) => {
    const found = all.filter(({ id }) => id.startsWith(word.toUpperCase()));
    const [only] = found;
    if (only === undefined) throw new UsageError(`there is no notification ${word}`);
    if (found.length > 1) throw new UsageError(`${word} is not enough of an id: give more than ${ID_CHARS} characters`);
    return only.id;
  });
  return { ids };
}
