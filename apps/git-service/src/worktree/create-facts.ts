import type { Facts } from '../domain/operation.js';

/** The kind of operation that makes a worktree and its workspace. */
export const CREATE = 'worktree.create';

/** What has been decided before anything is done; all that recovery needs. */
export interface CreateFacts extends Facts {
  /** Top level that the caller named. */
  readonly top: string;
  readonly commonDir: string;
  readonly path: string;
  readonly branch: string;
  /** Commit that a new branch begins at; null when the branch exists. */
  readonly start: string | null;
  /** The worktree was there before: it is never taken back. */
  readonly existed: boolean;
  readonly layout: string | null;
  readonly title: string;
  readonly windowId: string;
  readonly setup: boolean;
}

/** Steps of it, in their order, as they are noted when done. */
export const STEP = {
  /** git has made the worktree. From here on it is carried on to the end. */
  added: 'added',
  /** It has a workspace; facts: ids and refs. */
  opened: 'opened',
} as const;

/** @throws Error for facts of another kind of operation */
export function createFacts(facts: Facts): CreateFacts {
  const { top, commonDir, path, branch, start, existed, layout, title, windowId, setup } = facts;
  const texts = [top, commonDir, path, branch, title, windowId].every((value) => typeof value === 'string');
  const optional = [start, layout].every((value) => value === null || typeof value === 'string');
  const flags = [existed, setup].every((value) => typeof value === 'boolean');
  if (!texts || !optional || !flags) throw new Error('these are no facts of worktree.create');
  return facts as CreateFacts;
}
