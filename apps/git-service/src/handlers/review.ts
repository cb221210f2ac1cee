import { createHash, randomUUID } from 'node:crypto';
import type { Bus, HandlerContext } from '@switchyard/bus';
import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import type { ReviewDatabase } from '../adapters/review-database.js';
import type { Review } from '../adapters/reviews-table.js';
import { cursorOf, readCursor } from '../domain/review/cursor.js';
import type { ReviewFile } from '../domain/review/file-text.js';
import { onBehalfOf } from '../git-kit.js';
import { Once } from '../review/once.js';
import type { ReviewParts, Reviews } from '../review/reviews.js';
import type { Sender, Sent } from '../review/sending.js';

export type ReviewHandlers = HandlersIn<'review', 'git-service', HandlerContext>;
type Found = Result<'review.panel_find'>;

/** Files on a page where nobody says how many. */
const PAGE_FILES = 100;
/** A page is closed when its files take this much, so that an answer stays far below the limit of a reply. */
const PAGE_BYTES = 1024 * 1024;

export interface ReviewHandlerParts {
  readonly bus: Bus;
  readonly database: ReviewDatabase;
  readonly reviews: Reviews;
  readonly sender: Sender;
  readonly changesOf: ReviewParts['changesOf'];
}

/** `review.*`: where a review is the workspace-service knows, what it shows and what was said about it is here. */
export function reviewHandlers(parts: ReviewHandlerParts): ReviewHandlers {
  const { database, reviews } = parts;
  const once = new Once(database);
  return {
    ...opening(parts, once),
    ...commenting(parts, once),
    'review.get': async (params, ctx) => {
      const { found, review } = await meant(parts, params, ctx);
      return { ...factsOf(found, review), ...pageOf(parts, review, params) };
    },
    'review.refresh': async (params, ctx) => {
      const { found, review } = await meant(parts, params, ctx);
      const refreshed = await reviews.refresh(review.surfaceId, ctx.signal);
      const { surface_id, surface_ref } = found;
      const { generation, generatedAt } = refreshed;
      return { surface_id, surface_ref, ...countsOf(refreshed), generation, generated_at: seconds(generatedAt) };
    },
  };
}

function opening({ bus, reviews, changesOf }: ReviewHandlerParts, once: Once): Pick<ReviewHandlers, 'review.open'> {
  return {
    'review.open': (params, ctx) =>
      once.run('review.open', ctx.requestId, async (save) => {
        const { mode = 'uncommitted', base_branch: baseAsked = null, direction = 'right', focus = false } = params;
        const call = onBehalfOf(ctx);
        const source = await bus.call('review.panel_source', contextOf(params), call);
        const compared = { directory: source.directory, mode, baseBranch: baseAsked };
        const changes = await changesOf(compared, ctx.signal);
        const { directory } = changes;
        const surfaceId = newSurfaceId(ctx.requestId);
        const asked = { surface_id: surfaceId, source_surface_id: source.surface_id, directory, direction, focus };
        const placed = await bus.call('review.panel_open', { ...asked, mode, base_branch: baseAsked }, call);
        const panel = { surfaceId, sourceId: source.surface_id, directory, mode, baseAsked };
        let reply: Result<'review.open'> | undefined;
        await reviews.create(panel, changes, ctx.signal, (review, restored) => {
          const { baseBranch, generation } = review;
          const shown = { mode, base_branch: baseBranch, ...countsOf(review), generation };
          reply = { ...placed, ...shown, restored_comment_count: restored };
          save(reply);
        });
        return reply ?? fail('internal_error', 'A review was made without an answer');
      }),
  };
}

function commenting(
  parts: ReviewHandlerParts,
  once: Once,
): Omit<ReviewHandlers, 'review.open' | 'review.get' | 'review.refresh'> {
  const { database, reviews, sender } = parts;
  return {
    'review.comment.add': (params, ctx) =>
      once.run('review.comment.add', ctx.requestId, async (save) => {
        const { review } = await meant(parts, params, ctx);
        const reply = { comment_id: randomUUID().toUpperCase() };
        const stored = { signal: ctx.signal, save: () => save(reply) };
        await reviews.comment(review.surfaceId, reply.comment_id, params, stored);
        return reply;
      }),
    'review.comment.remove': (params, ctx) =>
      once.run('review.comment.remove', ctx.requestId, async (save) => {
        const { review } = await meant(parts, params, ctx);
        const id = params.comment_id.toUpperCase();
        const reply = { ok: true } as const;
        return reviews.turn(review.surfaceId, async () => {
          database.tx(() => {
            if (!database.comments.remove(review.surfaceId, id)) {
              fail('not_found', 'There is no such comment', { comment_id: params.comment_id });
            }
            save(reply);
          });
          return reply;
        });
      }),
    'review.comment.list': async (params, ctx) => {
      const { review } = await meant(parts, params, ctx);
      return { comments: database.comments.of(review.surfaceId) };
    },
    'review.send_comments': (params, ctx) =>
      once.run('review.send_comments', ctx.requestId, async (save) => {
        const { found, review } = await meant(parts, params, ctx);
        const { preamble, force = false } = params;
        const reply = (sent: Sent) => sentReply(found, sent);
        const sent = await reviews.turn(review.surfaceId, () =>
          sender.send(review, { preamble, force }, ctx, (done) => save(reply(done))),
        );
        return reply(sent);
      }),
  };
}

/** The review that a call means, with where it is. */
async function meant(
  { bus, reviews }: ReviewHandlerParts,
  params: Params<'review.comment.list'>,
  ctx: HandlerContext,
): Promise<{ readonly found: Found; readonly review: Review }> {
  const found = await bus.call('review.panel_find', contextOf(params), onBehalfOf(ctx));
  const { surface_id: surfaceId, source_surface_id: sourceId, directory, mode, base_branch: baseAsked } = found;
  const review = await reviews.ensure({ surfaceId, sourceId, directory, mode, baseAsked }, ctx.signal);
  return { found, review };
}

type Context = Pick<Params<'review.open'>, 'window_id' | 'workspace_id' | 'surface_id'>;

function contextOf({ window_id, workspace_id, surface_id }: Context): Context {
  return {
    ...(window_id !== undefined && { window_id }),
    ...(workspace_id !== undefined && { workspace_id }),
    ...(surface_id !== undefined && { surface_id }),
  };
}

/** The same for every repeat of a request, so that it makes one surface however often it is carried out. */
function newSurfaceId(requestId: string | undefined): string {
  if (requestId === undefined) return randomUUID().toUpperCase();
  const digest = createHash('sha256').update(`review.open ${requestId}`).digest('hex').toUpperCase();
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digest.slice(from, to));
  // The form of a UUID of version 8: made by a rule of one's own.
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

function factsOf(found: Found, review: Review) {
  const { directory: _, base_branch: __, mode, ...place } = found;
  const { directory, baseBranch, baseCommit, generation, generatedAt } = review;
  return {
    ...place,
    directory,
    mode,
    base_branch: baseBranch,
    base_commit: baseCommit,
    ...countsOf(review),
    generation,
    generated_at: seconds(generatedAt),
  };
}

function pageOf({ database }: ReviewHandlerParts, review: Review, params: Params<'review.get'>) {
  const { surfaceId, generation, fileCount } = review;
  if (params.file_path !== undefined) {
    const file = database.reviews.file(surfaceId, params.file_path);
    if (file === undefined) return fail('not_found', 'This file has not changed', { file_path: params.file_path });
    return { files: [file], next_cursor: null };
  }
  let position = readCursor(params.cursor, generation);
  const files: ReviewFile[] = [];
  let chars = 0;
  for (const json of database.reviews.filesFrom(surfaceId, position, params.limit ?? PAGE_FILES)) {
    if (files.length > 0 && chars + json.length > PAGE_BYTES) break;
    files.push(JSON.parse(json) as ReviewFile);
    chars += json.length;
    position++;
  }
  return { files, next_cursor: position < fileCount ? cursorOf({ generation, position }) : null };
}

function sentReply(found: Found, { count, prompted }: Sent): Result<'review.send_comments'> {
  const { window_id, window_ref } = prompted ?? found;
  const target = {
    target_surface_id: prompted?.surface_id ?? found.source_surface_id,
    target_surface_ref: prompted?.surface_ref ?? found.source_surface_ref,
  };
  return { sent_count: count, ...target, window_id, window_ref, receipt: prompted?.receipt ?? null };
}

const countsOf = ({ fileCount, diffableFileCount }: Review) => ({
  file_count: fileCount,
  diffable_file_count: diffableFileCount,
});

const seconds = (ms: number): number => Math.floor(ms / 1000);
