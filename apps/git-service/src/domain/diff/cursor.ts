import { fail } from '@switchyard/protocol';

/** Where a page begins, in one state of the tree. */
interface PageStart {
  readonly snapshot: string;
  readonly index: number;
}

const CURSOR = /^([A-Za-z0-9_-]{43})\.(\d{1,9})$/;

/** A page as a word that a client hands back. */
export function cursorOf({ snapshot, index }: PageStart): string {
  return `${snapshot}.${index}`;
}

/** @throws `invalid_params` for what was not given out by {@link cursorOf} */
export function readCursor(cursor: string): PageStart {
  const [, snapshot, index] = CURSOR.exec(cursor) ?? [];
  if (snapshot === undefined) fail('invalid_params', 'This is no cursor of workspace.git.diff.', { cursor });
  return { snapshot, index: Number(index) };
}
