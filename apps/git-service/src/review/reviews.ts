import { fail, type Params, type Result } from '@switchyard/protocol';
import type { ReviewDatabase } from '../adapters/review-database.js';
import type { Review } from '../adapters/reviews-table.js';
import type { Changes, Compared } from '../domain/review/changes.js';
import { nextPlace, type Place, type Shown } from '../domain/review/comment.js';
import { shownFile, type View, viewOf } from './shown.js';
import { Turns } from './turns.js';

/** Comments that nobody asked for in so long are not waited for. */
const CLOSED_KEPT_MS = 30 * 24 * 60 * 60_000;
/** Closed reviews that have comments left. */
const CLOSED_KEPT = 100;

export interface ReviewParts {
  readonly database: ReviewDatabase;
  /** Looks at a worktree. @throws `unavailable` when the folder is in none; `not_found` for a base that is not there */
  readonly changesOf: (compared: Compared, signal: AbortSignal) => Promise<Changes>;
  /** The lines of a file in a commit; null: it has none there, or none that can be shown. */
  readonly baseLines: (
    of: Pick<Changes, 'directory' | 'baseCommit'>,
    path: string,
    signal: AbortSignal,
  ) => Promise<readonly string[] | null>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What the workspace-service knows of a review. */
export type Panel = Pick<Review, 'surfaceId' | 'sourceId' | 'directory' | 'mode' | 'baseAsked'>;

type AddParams = Params<'review.comment.add'>;

/** Reviews and their comments: each thing is done to one review at a time. */
export class Reviews {
  readonly #parts: ReviewParts;
  readonly #turns = new Turns();

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  /**
   * A review whose surface has just been made.
   *
   * @param save part of the transaction that stores it
   */
  async create(
    panel: Panel,
    changes: Changes,
    signal: AbortSignal,
    save: (review: Review, restored: number) => void,
  ): Promise<void> {
    const { database, now } = this.#parts;
    const { surfaceId, sourceId, mode, baseAsked } = panel;
    const { directory, baseBranch, baseCommit } = changes;
    const earlier = database.reviews.closedOf({ sourceId, directory });
    const places = earlier ? await this.#followed(earlier.surfaceId, changes, signal) : new Map<string, Place>();
    const id = { surfaceId, sourceId, directory, mode, baseAsked };
    database.tx(() => {
      // There is one already where a request was cut off after its surface was made, and is repeated now.
      const generation = (database.reviews.find(surfaceId)?.generation ?? 0) + 1;
      const shown = { baseBranch, baseCommit, generation, generatedAt: now(), closedAt: null };
      database.reviews.put({ ...id, ...shown }, changes);
      const restored = earlier ? database.comments.handOver(earlier.surfaceId, surfaceId) : 0;
      for (const [comment, place] of places) database.comments.move(comment, place);
      this.#forgetClosed();
      save(this.#get(surfaceId), restored);
    });
  }

  /** A review whose surface is there. If nothing is known of it, as after the loss of our database, it is made anew. */
  async ensure(panel: Panel, signal: AbortSignal): Promise<Review> {
    const { database, changesOf } = this.#parts;
    const known = database.reviews.find(panel.surfaceId);
    if (known?.closedAt === null) return known;
    if (known) database.reviews.setClosed(panel.surfaceId, null);
    else {
      const changes = await changesOf({ ...panel, baseBranch: panel.baseAsked }, signal);
      await this.create(panel, changes, signal, () => undefined);
    }
    return this.#get(panel.surfaceId);
  }

  /** Looks at the worktree again. When nothing has changed, the generation stays. */
  refresh(surfaceId: string, signal: AbortSignal): Promise<Review> {
    return this.turn(surfaceId, () => this.#refresh(surfaceId, signal));
  }

  /** @param save part of the transaction that stores the comment */
  async comment(
    surfaceId: string,
    id: string,
    { file_path, start_line: start, end_line: end = start, text }: AddParams,
    { signal, save }: { readonly signal: AbortSignal; readonly save: () => void },
  ): Promise<void> {
    if (text.trim() === '') fail('invalid_params', 'The comment is empty', { parameter: 'text' });
    if (end < start) fail('invalid_params', 'The last line is before the first', { parameter: 'end_line' });
    await this.turn(surfaceId, async () => {
      const { database, now } = this.#parts;
      const path = file_path.replace(/^(\.\/)+/, '');
      const shown = await shownFile(path, this.#storedView(this.#get(surfaceId), signal));
      if (shown === undefined) return fail('not_found', 'There is no such file in the review', { file_path });
      if (shown.lines !== null && end > shown.lines.length) {
        const facts = { parameter: 'end_line', file_path: shown.path, line_count: shown.lines.length };
        return fail('invalid_params', `${shown.path} has ${shown.lines.length} lines in this review`, facts);
      }
      const created_at = Math.floor(now() / 1000);
      database.tx(() => {
        database.comments.add(surfaceId, { id, text, created_at }, { ...shown, range: { start, end } });
        save();
      });
    });
  }

  /** What is done to a review between other things that are done to it. */
  turn<T>(surfaceId: string, fn: () => Promise<T>): Promise<T> {
    return this.#turns.take(surfaceId, fn);
  }

  /** Its surface was closed: its comments are kept for a while. */
  closed(surfaceId: string): void {
    const { database, now } = this.#parts;
    if (database.reviews.find(surfaceId) === undefined) return;
    database.tx(() => {
      database.reviews.setClosed(surfaceId, now());
      this.#forgetClosed();
    });
  }

  #forgetClosed(): void {
    const { database, now } = this.#parts;
    database.reviews.forgetClosed(now() - CLOSED_KEPT_MS, CLOSED_KEPT);
  }

  async #refresh(surfaceId: string, signal: AbortSignal): Promise<Review> {
    const { database, changesOf, now } = this.#parts;
    const review = this.#get(surfaceId);
    const { directory, mode, baseAsked } = review;
    const changes = await changesOf({ directory, mode, baseBranch: baseAsked }, signal);
    if (this.#isShown(review, changes)) database.reviews.confirm(surfaceId, now());
    else {
      const places = await this.#followed(surfaceId, changes, signal);
      const { baseBranch, baseCommit } = changes;
      const next = { baseBranch, baseCommit, generation: review.generation + 1, generatedAt: now() };
      database.tx(() => {
        database.reviews.put({ ...this.#get(surfaceId), ...next }, changes);
        for (const [comment, place] of places) database.comments.move(comment, place);
      });
    }
    return this.#get(surfaceId);
  }

  #isShown(review: Review, { baseBranch, baseCommit, files }: Changes): boolean {
    const { surfaceId, fileCount } = review;
    if (review.baseBranch !== baseBranch || review.baseCommit !== baseCommit || fileCount !== files.length)
      return false;
    let position = 0;
    for (const json of this.#parts.database.reviews.filesFrom(surfaceId, 0, fileCount)) {
      if (json !== JSON.stringify(files[position++])) return false;
    }
    return true;
  }

  /** Where the comments of a review are in new changes. */
  async #followed(surfaceId: string, changes: Changes, signal: AbortSignal): Promise<Map<string, Place>> {
    const { comments } = this.#parts.database;
    const view = viewOf(changes, (path) => this.#parts.baseLines(changes, path, signal));
    const places = new Map<string, Place>();
    for (const comment of comments.of(surfaceId)) {
      const anchor = comments.anchorOf(comment.id);
      const shown = await firstShown([comment.file_path, anchor.path], view);
      places.set(comment.id, nextPlace(anchor, placeOf(comment), shown));
    }
    return places;
  }

  #storedView(review: Review, signal: AbortSignal): View {
    const { database, baseLines } = this.#parts;
    return {
      changeOf: (path) => database.reviews.file(review.surfaceId, path),
      baseLines: (path) => baseLines(review, path, signal),
    };
  }

  #get(surfaceId: string): Review {
    return (
      this.#parts.database.reviews.find(surfaceId) ?? fail('not_found', 'The review is gone', { surface_id: surfaceId })
    );
  }
}

function placeOf(comment: Result<'review.comment.list'>['comments'][number]): Place {
  const { file_path, start_line, end_line, is_stale, is_changed } = comment;
  return { file_path, start_line, end_line, is_stale, is_changed };
}

/** A file that was renamed is looked for where it was last, then where it was when the comment was written. */
async function firstShown(paths: readonly [string, string], view: View): Promise<Shown> {
  for (const path of new Set(paths)) {
    const shown = await shownFile(path, view);
    if (shown !== undefined && shown.lines !== null) return shown;
  }
  return { path: paths[0], lines: null };
}
