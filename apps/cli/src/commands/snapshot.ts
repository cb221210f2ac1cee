import type { Result } from '@switchyard/protocol';
import type { Run } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { cleanText } from '../domain/clean-text.js';
import { counted } from '../domain/counted.js';
import { EXIT } from '../domain/exit-codes.js';

type Listed = Result<'snapshot.list'>;
type Resumed = Result<'snapshot.resume'>;
type Brought = Result<'snapshot.restore'>;

/** A few hundred shells take their time. */
const RESTORE_TIMEOUT_MS = 60_000;

export const snapshot: Run = async (context, [action = '', id], _options) => {
  const which = id === undefined ? {} : { id };
  const timeoutMs = context.globals.timeout ?? RESTORE_TIMEOUT_MS;
  const actions: Record<string, () => Promise<number | undefined>> = {
    save: async () => {
      context.out.result(await context.call('snapshot.save', {}, timeoutMs), (saved) => saved.id);
      return undefined;
    },
    list: () => list(context),
    restore: async () => brought(context, await context.call('snapshot.restore', which, timeoutMs)),
    resume: async () => resumed(context, await context.call('snapshot.resume', whatOf(id), timeoutMs)),
    rollback: async () => brought(context, await context.call('snapshot.rollback', which, timeoutMs)),
  };
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw new UsageError('say save, list, restore, rollback or resume');
  return run();
};

const WHAT = ['shells', 'commands', 'agents'] as const;

function whatOf(word: string | undefined): { what?: (typeof WHAT)[number] } {
  if (word === undefined) return {};
  const what = WHAT.find((one) => one === word);
  if (what === undefined) throw new UsageError(`say one of ${WHAT.join(', ')}`);
  return { what };
}

function resumed({ out }: Context, result: Resumed): undefined {
  out.result(result, ({ started, left }) => [
    started.length === 0 ? 'Nothing was started.' : `Started: ${started.map((one) => one.surface_ref).join(' ')}`,
    ...(left.length === 0 ? [] : [`Still ended: ${left.map((one) => one.surface_ref).join(' ')}`]),
  ]);
}

async function list(context: Context): Promise<undefined> {
  const { out } = context;
  const found = await context.call('snapshot.list', {});
  out.result(found, ({ snapshots }) =>
    out.table(
      ['ID', 'SAVED', 'WHY', 'WINDOWS', 'WORKSPACES', 'TERMINALS'],
      snapshots.map((one) => [
        one.id,
        one.saved_at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length),
        one.reason,
        String(one.window_count),
        String(one.workspace_count),
        String(one.panel_count),
      ]),
    ),
  );
  if (!out.asJson && found.last_restore !== null) for (const line of reportLines(found.last_restore)) out.note(line);
}

const KINDS = {
  start: 'the last start',
  recovery: 'the last start, from a snapshot because the database was lost',
  restore: 'the last restore',
  rollback: 'the last rollback',
} as const;

function reportLines(last: NonNullable<Listed['last_restore']>): string[] {
  const { kind, running, problem_count, problems, confirmed_at, attempts } = last;
  if (confirmed_at === null) return [`${KINDS[kind]} is not over yet`];
  const took = attempts === 1 ? '' : ` (it took ${attempts} starts)`;
  const head = `${KINDS[kind]}${took}: ${running} run, ${problem_count} do not`;
  return [head, ...problems.map(({ title, reason }) => `  ${cleanText(title)}: ${cleanText(reason)}`)];
}

function brought({ out }: Context, result: Brought): number | undefined {
  out.result(result, ({ restored, surfaces, kept, before }) => [
    [
      counted(restored.windows, 'window'),
      counted(restored.workspaces, 'workspace'),
      counted(restored.panels, 'terminal'),
    ].join(', '),
    ...surfaces
      .filter(({ outcome }) => outcome === 'ended' || outcome === 'failed')
      .map(
        ({ surface_ref, outcome, error }) => `  ${surface_ref} ${error === null ? outcome : cleanText(error.message)}`,
      ),
    ...(kept.length === 0 ? [] : [`  kept besides: ${kept.map(({ surface_ref }) => surface_ref).join(' ')}`]),
    ...(before === null ? [] : [`undo with: switchyard snapshot rollback ${before}`]),
  ]);
  return result.surfaces.some(({ outcome }) => outcome === 'failed') ? EXIT.refused : undefined;
}
