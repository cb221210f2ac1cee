import { fail } from '@switchyard/protocol';

/** Where a page begins, in one generation of a review. */
export interface PageStart {
  readonly generation: number;
  /** Index of its first file. */
  readonly position: number;
}

const CURSOR = /^([1-9]\d{0,8})\.(\d{1,9})$/;

export const cursorOf = ({ generation, position }: PageStart): string => `${generation}.${position}`;

/**
 * Reads a cursor that was given out for a generation.
 *
 * @throws `invalid_params` for what is no cursor; `snapshot_changed` when the review has been refreshed since, so that its
 *   pages would not belong together
 */
export function readCursor(cursor: string | undefined, generation: number): number {
  if (cursor === undefined) return 0;
  const parts = CURSOR.exec(cursor);
  if (parts === null) return fail('invalid_params', 'This is no cursor of review.get', { parameter: 'cursor' });
  if (Number(parts[1]) !== generation) {
    return fail('snapshot_changed', 'The review was refreshed: begin with its first page again', { generation });
  }
  return Number(parts[2]);
}
