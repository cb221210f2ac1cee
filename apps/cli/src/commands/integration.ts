import { resolve } from 'node:path';
import type { Result } from '@switchyard/protocol';
import { flag, type Options, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { cleanText } from '../domain/clean-text.js';
import { lineDiff } from '../domain/line-diff.js';

type Done = Result<'integration.install'>;
type Method = 'integration.install' | 'integration.uninstall';

const COLOURS = { current: 'green', outdated: 'yellow', broken: 'red' } as const;
/** A line of a configuration that is shown to a person. */
const LONGEST_LINE = 240;

export const integration: Run = async (context, [action = '', agent], options) => {
  const actions: Record<string, () => Promise<void>> = {
    list: () => list(context),
    status: () => status(context, agent, options),
    install: () => act(context, 'integration.install', agent, options),
    uninstall: () => act(context, 'integration.uninstall', agent, options),
  };
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw new UsageError('say list, status, install or uninstall');
  await run();
  return undefined;
};

async function list(context: Context): Promise<void> {
  const { out } = context;
  out.result(await context.call('integration.list', {}), ({ integrations }) =>
    out.table(
      ['AGENT', 'STATE', 'BASIS', 'FOLDER', 'NAME'],
      integrations.map(({ agent, state, basis, config_dir, title }) => [agent, state, basis, config_dir, title]),
      (cell) => COLOURS[cell as keyof typeof COLOURS],
    ),
  );
}

async function status(context: Context, agent: string | undefined, options: Options): Promise<void> {
  const params = { ...(agent !== undefined && { agent }), ...folder(options) };
  const { out } = context;
  out.result(await context.call('integration.status', params), ({ integrations }) =>
    integrations.flatMap((one) => [
      `${one.agent}: ${out.paint(COLOURS[one.state as keyof typeof COLOURS] ?? 'dim', one.state)}`,
      ...one.files.flatMap((file) => [
        `  ${file.state.padEnd(8)}  ${cleanText(file.path, LONGEST_LINE)}${file.detail === null ? '' : `: ${cleanText(file.detail)}`}`,
        ...file.remarks.map((remark) => `            ${cleanText(remark)}`),
      ]),
    ]),
  );
}

/** Says what will be written before anything is. */
async function act(context: Context, method: Method, agent: string | undefined, options: Options): Promise<void> {
  if (agent === undefined) throw new UsageError('say which agent; `sy integration list` has them all');
  const params = { agent, ...folder(options) };
  const { out } = context;
  const plan = await context.call(method, { ...params, dry_run: true });
  if (flag(options, 'dryRun')) return out.result(plan, () => planLines(context, plan));
  if (!out.asJson) for (const line of headLines(plan)) out.line(line);
  const done = await context.call(method, params);
  out.result(done, () => [`${agent}: ${done.state}`, ...done.remarks.map((remark) => cleanText(remark))]);
}

function folder(options: Options): { config_dir?: string } {
  const given = text(options, 'configDir');
  return given === undefined ? {} : { config_dir: resolve(given) };
}

function headLines({ changes }: Done): string[] {
  if (changes.length === 0) return ['nothing to change'];
  return changes.map(
    ({ action, path, reason }) => `${action.padEnd(6)}  ${cleanText(path, LONGEST_LINE)}  (${reason})`,
  );
}

function planLines({ out }: Context, plan: Done): string[] {
  const heads = headLines(plan);
  if (plan.changes.length === 0) return heads;
  return plan.changes.flatMap(({ before = null, after = null }, i) => [
    heads[i] ?? '',
    ...lineDiff(before, after).map(({ mark, text: line }) => {
      const shown = `  ${mark} ${indented(line)}`;
      return mark === ' ' ? out.paint('dim', shown) : out.paint(mark === '+' ? 'green' : 'red', shown);
    }),
  ]);
}

/** Cleaning takes the blanks at the beginning away, too. */
function indented(line: string): string {
  const blanks = /^[ \t]*/.exec(line)?.[0] ?? '';
  return `${blanks.replaceAll('\t', '    ')}${cleanText(line, LONGEST_LINE)}`;
}
