import type { JournalData, JournalKind, MethodName, Params, Result } from '@switchyard/protocol';
import type { OperationRecord } from './operation.js';

/** What a change means to those who watch the yard. */
export type Told = {
  [K in JournalKind]: {
    readonly kind: K;
    readonly data: JournalData<K>;
    readonly workspace_id?: string | null;
    readonly surface_id?: string | null;
  };
}[JournalKind];

type Meanings = { readonly [M in MethodName]?: (result: Result<M>, params: Params<M>) => Told | null };

/** What the answers of methods tell; null: nothing has changed. */
export const MEANINGS = {
  'worktree.create': ({ created, worktree, workspace_id }) =>
    created ? { kind: 'worktree.created', workspace_id, data: { ...worktree } } : null,
  'worktree.open': ({ created, worktree, workspace_id }) =>
    created ? { kind: 'worktree.opened', workspace_id, data: { ...worktree } } : null,
  'worktree.remove': ({ removed, path, branch, recovery, closed_workspace_id = null }) =>
    removed
      ? {
          kind: 'worktree.removed',
          workspace_id: closed_workspace_id,
          data: { path, branch, recovery_id: recovery?.id ?? null },
        }
      : null,
  'worktree.recover': ({ restored }) =>
    restored === null ? null : { kind: 'worktree.restored', data: { path: restored.path, branch: restored.branch } },
  'worktree.merge': ({ merged, source, base, after }) =>
    merged ? { kind: 'worktree.merged', data: { source, base, after } } : null,
  'review.send_comments': ({ sent_count, target_surface_id }) =>
    sent_count === 0 ? null : { kind: 'review.sent', surface_id: target_surface_id, data: { comments: sent_count } },
} satisfies Meanings;

/** The same for an operation that was cut off and has been completed since: whoever asked for it was not answered. */
export function meaningOfCompleted({
  kind,
  repo,
  facts,
}: Pick<OperationRecord, 'kind' | 'repo' | 'facts'>): Told | null {
  const text = (name: string): string | null => (typeof facts[name] === 'string' ? facts[name] : null);
  const [path, branch] = [text('path') ?? '', text('branch')];
  switch (kind) {
    case 'worktree.create':
      return facts['existed'] === true
        ? null
        : { kind: 'worktree.created', data: { path, branch, repo: text('top') ?? repo } };
    case 'worktree.remove':
      return { kind: 'worktree.removed', data: { path, branch, recovery_id: null } };
    case 'worktree.recover':
      return { kind: 'worktree.restored', data: { path, branch } };
    case 'worktree.merge':
      return { kind: 'worktree.merged', data: { source: null, base: text('base') ?? '', after: text('after') ?? '' } };
    default:
      return null;
  }
}
