import type { Result } from '@switchyard/protocol';
import { cleanText } from './clean-text.js';

type Listed = Result<'worktree.list'>['worktrees'][number];
type Status = Result<'worktree.status'>;
type Setup = Result<'worktree.setup'>['setup'];

/** Branch, workspace, state, path. */
export function worktreeRow({ branch, workspace_ref, path, ...facts }: Listed): string[] {
  return [branch ?? '(detached)', workspace_ref ?? '', stateText(facts), path];
}

/** What is not as it should be; empty when all is well. */
function stateText({ locked, is_missing, is_main }: Pick<Listed, 'locked' | 'is_missing' | 'is_main'>): string {
  const states = [is_main ? 'main' : '', locked === null ? '' : 'locked', is_missing ? 'missing' : ''];
  return states.filter((state) => state !== '').join(', ');
}

export function statusLines(status: Status): string[] {
  const { worktree, head, upstream, ahead, behind, changes, in_progress, setup, workspace_ref } = status;
  const state = stateText(status);
  const lines = [
    `${cleanText(worktree.branch ?? '(detached)')} at ${head.slice(0, 12)} in ${cleanText(worktree.path)}`,
    state === '' ? '' : `state      ${state}${status.locked ? ` (${cleanText(status.locked)})` : ''}`,
    `workspace  ${workspace_ref ?? 'none'}`,
    upstream === null
      ? 'upstream   none'
      : `upstream   ${cleanText(upstream)}, ${ahead ?? 0} ahead, ${behind ?? 0} behind`,
    changes === null ? '' : `changes    ${changesText(changes)}`,
    in_progress === null ? '' : `middle of  ${in_progress.replace('_', '-')}`,
    setup === 'none' ? '' : `setup      ${setup}`,
  ];
  return lines.filter((line) => line !== '');
}

/** What was done, or why not; nothing when there was nothing to do. */
export function setupLines({ state, detail, copied, skipped, surface_ref }: Setup): string[] {
  if (state === 'untrusted')
    return ['The setup of this repository is not trusted: `sy worktree trust --dry-run` shows it.'];
  if (state === 'changed') return ['The setup of this repository has changed: `sy worktree trust --dry-run` shows it.'];
  if (state === 'invalid') return [`The setup file is wrong: ${detail ?? ''}`];
  if (state !== 'done') return [];
  return [
    `Copied ${copied} ${copied === 1 ? 'file' : 'files'}.`,
    ...skipped.map(({ path, reason }) => `Not copied: ${path} (${reason.replaceAll('_', ' ')})`),
    ...(surface_ref === null ? [] : [`The commands run in ${surface_ref}.`]),
  ];
}

function changesText(changes: NonNullable<Status['changes']>): string {
  const parts = Object.entries(changes).filter(([, count]) => count > 0);
  return parts.length === 0 ? 'none' : parts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}
