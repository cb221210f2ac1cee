import type { Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { flag, type Options, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { ageText } from '../domain/age.js';
import { cleanText } from '../domain/clean-text.js';
import { findingLines, inventoryLines, sizeText } from '../domain/removal-lines.js';
import { noMore, placeOf, repoOf, which } from './worktree-target.js';

type Removed = Result<'worktree.remove'>;

/** What is saved first may be gigabytes; the yard gives up first. */
const REMOVAL_TIMEOUT_MS = 305_000;
const HEADING = ['ID', 'AGE', 'BRANCH', 'FILES', 'SIZE', 'PATH'];

export async function removeWorktree(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [target] = what;
  if (target === undefined) throw new UsageError('say which: PATH-OR-BRANCH');
  noMore(what, 1);
  const { out } = context;
  const params = {
    ...repoOf(options),
    ...which(target),
    ...(flag(options, 'force') && { force: true }),
    ...(flag(options, 'dryRun') && { dry_run: true }),
  };
  try {
    const removed = await context.call('worktree.remove', params, timeoutOf(context));
    out.result(removed, (all) => removedLines(all));
  } catch (error) {
    const inventory = error instanceof SwitchyardError ? error.data?.['inventory'] : undefined;
    if (Array.isArray(inventory) && !out.asJson) {
      for (const line of inventoryLines(inventory as Removed['inventory'])) out.note(line);
      out.note('Nothing was removed. With --force all this is saved first: `sy worktree recover` has it then.');
    }
    throw error;
  }
}

function removedLines(all: Removed): string[] {
  const { removed, path, inventory, recovery, closed_workspace_ref, kept_workspace, left_behind, recovered } = all;
  if (!removed) return inventory.length === 0 ? ['It holds nothing of its own.'] : inventoryLines(inventory);
  return [
    `removed ${cleanText(path)}`,
    ...(closed_workspace_ref === undefined ? [] : [`closed ${closed_workspace_ref}`]),
    ...(kept_workspace === null ? [] : [`${kept_workspace.workspace_ref} stays: ${cleanText(kept_workspace.reason)}`]),
    ...(recovery === null
      ? []
      : [
          `saved as ${recovery.id}: ${recovery.files} files, ${sizeText(recovery.bytes)}${recovery.ref ? ', and commits' : ''}`,
        ]),
    ...(recovery?.left_out ? [`not saved: ${cleanText(recovery.left_out)}`] : []),
    ...(left_behind === null ? [] : [`some files could not be deleted: ${cleanText(left_behind)}`]),
    ...(recovered === null ? [] : [cleanText(recovered.detail)]),
  ];
}

export async function recoverWorktree(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [id] = what;
  noMore(what, 1);
  const path = text(options, 'path');
  const drop = flag(options, 'drop');
  if (id === undefined && (drop || path !== undefined)) throw new UsageError('say which: the ID that recover lists');
  const params = {
    ...repoOf(options),
    ...(id !== undefined && { id }),
    ...(path !== undefined && { path: placeOf(path) }),
    ...(drop && { drop: true }),
  };
  const { out } = context;
  out.result(
    await context.call('worktree.recover', params, timeoutOf(context)),
    ({ recoveries, restored, dropped }) => {
      if (dropped) return `dropped ${id}`;
      if (restored !== null) {
        const on = restored.branch ?? `${restored.head?.slice(0, 12) ?? 'nothing'}, detached`;
        return `restored ${cleanText(restored.path)} on ${cleanText(on)}, ${restored.files} files`;
      }
      const rows = recoveries.map((each) => [
        each.id,
        ageText(Date.now() - each.created_at),
        each.branch ?? '(detached)',
        String(each.files),
        sizeText(each.bytes),
        each.path,
      ]);
      return rows.length === 0 ? 'Nothing was saved of this repository.' : out.table(HEADING, rows);
    },
  );
}

export async function doctorWorktrees(context: Context, what: readonly string[], options: Options): Promise<void> {
  const [path] = what;
  noMore(what, 1);
  const repair = ['unlock', 'prune', 'relink'].filter((name) => flag(options, name));
  const params = {
    ...repoOf(options),
    ...(path !== undefined && { path: placeOf(path) }),
    ...(repair.length > 0 && { repair }),
  };
  const found = await context.call('worktree.doctor', params, timeoutOf(context));
  context.out.result(found, ({ findings }) =>
    findings.length === 0 ? 'All is well.' : findings.flatMap(findingLines),
  );
}

const timeoutOf = (context: Context) => context.globals.timeout ?? REMOVAL_TIMEOUT_MS;
