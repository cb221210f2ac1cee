import { decodeCursor, encodeCursor, fail, type JournalEvent, type Result } from '@switchyard/protocol';
import type { Journal, JournalGap } from './journal.js';

type Event = Result<'events.read'>['events'][number];
type Gap = NonNullable<Result<'events.read'>['gap']>;

/** Where a reader goes on, and what it has missed for good. */
export interface ReadingFrom {
  readonly after: number;
  readonly gap: JournalGap | undefined;
}

/**
 * Finds the place that a cursor names.
 *
 * @throws `invalid_params` for what was never a cursor
 */
export function placeOfCursor(journal: Journal, cursor: string): ReadingFrom {
  const at = decodeCursor(cursor) ?? fail('invalid_params', 'Missing or invalid cursor', { path: 'cursor' });
  const oldest = journal.first - 1;
  if (at.journal !== journal.id) return { after: oldest, gap: { reason: 'replaced', to: oldest, count: null } };
  const gap = journal.gapAfter(at.seq);
  return { after: gap?.to ?? at.seq, gap };
}

export const cursorAt = (journal: Journal, seq: number): string => encodeCursor({ journal: journal.id, seq });

/** A gap as clients see it. @param from the cursor they had */
export function gapOf(journal: Journal, from: string, { reason, to, count }: JournalGap): Gap {
  return { reason, from, to: cursorAt(journal, to), count };
}

/** An event as clients see it. */
export function wireEvent(journal: Journal, { seq, at, kind, workspace_id, surface_id, data }: JournalEvent): Event {
  return { cursor: cursorAt(journal, seq), kind, at, workspace_id, surface_id, data };
}
