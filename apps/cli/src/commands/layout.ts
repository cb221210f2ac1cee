import { resolve } from 'node:path';
import type { Params, Result } from '@switchyard/protocol';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { cleanText } from '../domain/clean-text.js';
import { counted } from '../domain/counted.js';
import { EXIT } from '../domain/exit-codes.js';
import { layoutLines } from '../domain/layout-lines.js';
import { placeOf } from './place.js';

/** Longer than any file name of a layout. */
const LONGEST_PATH = 4096;

export const layout: Run = async (context, [action = '', name], options) => {
  const actions: Record<string, () => Promise<number | undefined>> = {
    save: () => save(context, required(name), options),
    apply: () => apply(context, required(name), options),
    list: () => list(context),
    show: () => show(context, required(name)),
    delete: () => remove(context, required(name)),
  };
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw new UsageError(`unknown subcommand ${action}: say save, apply, list, show or delete`);
  return run();
};

function required(name: string | undefined): string {
  if (name === undefined) throw new UsageError('say which layout');
  return name;
}

async function save(context: Context, name: string, options: Options): Promise<undefined> {
  const flags = { force: flag(options, 'force'), env: flag(options, 'withEnv') };
  const saved = await context.call('layout.save', { name, ...placeOf(context, options), ...flags });
  context.out.result(saved, ({ path, pane_count, surface_count }) => {
    return `${clean(path)}: ${counted(surface_count, 'terminal')} in ${counted(pane_count, 'pane')}`;
  });
}

async function apply(context: Context, name: string, options: Options): Promise<number | undefined> {
  const workspace = text(options, 'workspace');
  // In a workspace of its own a layout belongs where it is called; in one that exists, where that is.
  const given = text(options, 'cwd') ?? (workspace === undefined ? '.' : undefined);
  const title = text(options, 'title');
  const params: Params<'layout.apply'> = {
    name,
    ...(given !== undefined && { cwd: resolve(given) }),
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(title !== undefined && { title }),
  };
  const applied = await context.call('layout.apply', params);
  context.out.result(applied, ({ workspace_ref, surfaces }) => [
    workspace_ref,
    ...surfaces.map((surface) => `  ${surfaceLine(context, surface)}`),
  ]);
  // What is missing is said whatever the form of the answer.
  for (const { what, reason } of applied.skipped)
    context.out.note(`left out: ${cleanText(what)} (${cleanText(reason)})`);
  for (const remark of applied.remarks) context.out.note(cleanText(remark));
  return applied.complete ? undefined : EXIT.refused;
}

function surfaceLine({ out }: Context, surface: Result<'layout.apply'>['surfaces'][number]): string {
  const { surface_ref, name, outcome, error } = surface;
  const title = name === null ? '' : ` ${cleanText(name)}`;
  if (error === null) return `${surface_ref}${title}${outcome === 'reused' ? ' (was there)' : ''}`;
  return `${surface_ref}${title} ${out.paint('red', `not started: ${cleanText(error.message)} (${error.code})`)}`;
}

async function list(context: Context): Promise<undefined> {
  const { out } = context;
  const found = await context.call('layout.list', {});
  out.result(found, ({ layouts }) =>
    out.table(
      ['NAME', 'PANES', 'TERMINALS', 'SAVED'],
      layouts.map((one) => [one.name, String(one.pane_count), String(one.surface_count), one.saved_at || 'unknown']),
    ),
  );
  if (out.asJson) return;
  for (const { path, reason } of found.unreadable) out.note(`${clean(path)} holds no layout: ${cleanText(reason)}`);
}

async function show(context: Context, name: string): Promise<undefined> {
  context.out.result(await context.call('layout.get', { name }), ({ layout, path }) => [
    context.out.paint('dim', clean(path)),
    ...layoutLines(layout).map((line) => cleanIndented(line)),
  ]);
}

async function remove(context: Context, name: string): Promise<undefined> {
  context.out.result(await context.call('layout.delete', { name }), ({ path }) => `deleted ${clean(path)}`);
}

const clean = (path: string): string => cleanText(path, LONGEST_PATH);

/** Cleaning takes the blanks at the beginning away, too. */
function cleanIndented(line: string): string {
  const blanks = /^ */.exec(line)?.[0] ?? '';
  return `${blanks}${cleanText(line, LONGEST_PATH)}`;
}
