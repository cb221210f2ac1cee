import type { Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { flag, type Options, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { cleanText } from '../domain/clean-text.js';
import { given, named, repoOf } from './worktree-target.js';

/** Two large trees and a checkout; the yard gives up first. */
const MERGE_TIMEOUT_MS = 305_000;
/** How much of an id a person reads. */
const SHORT_ID = 12;

export async function mergeWorktree(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [merge, squash] = [flag(options, 'merge'), flag(options, 'squash')];
  if (merge && squash) throw new UsageError('--merge or --squash, not both');
  const base = text(options, 'into');
  const params = {
    ...repoOf(options),
    ...(await named(context, what, options)),
    ...(base !== undefined && { base }),
    ...(merge && { mode: 'merge' as const }),
    ...(squash && { mode: 'squash' as const }),
    ...given(options, 'message'),
    ...(flag(options, 'committedOnly') && { committed_only: true }),
  };
  try {
    const merged = await context.call('worktree.merge', params, context.globals.timeout ?? MERGE_TIMEOUT_MS);
    context.out.result(merged, mergedLines);
  } catch (error) {
    if (!context.out.asJson) for (const line of filesIn(error)) context.out.note(`  ${cleanText(line)}`);
    throw error;
  }
}

function mergedLines({ outcome, source, base, after, checked_out_at, recovered }: Result<'worktree.merge'>): string[] {
  const at = after.slice(0, SHORT_ID);
  const what =
    outcome === 'up_to_date'
      ? `${base} has everything of ${source} already`
      : `${base} is at ${at} now: ${outcome.replace('_', ' ')} from ${source}`;
  return [
    cleanText(what),
    ...(checked_out_at === null ? [] : [`brought along: ${cleanText(checked_out_at)}`]),
    ...(recovered === null ? [] : [cleanText(recovered.detail)]),
  ];
}

/** The files that an error is about. */
function filesIn(error: unknown): string[] {
  if (!(error instanceof SwitchyardError)) return [];
  const files = error.data?.['conflicts'] ?? error.data?.['entries'];
  return Array.isArray(files) ? files.map(String) : [];
}
