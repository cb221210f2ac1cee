import type { Bus } from '@switchyard/bus';
import type { Result } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { ReviewDatabase } from '../adapters/review-database.js';
import type { Reviews } from './reviews.js';
import type { Sender } from './sending.js';

type Listed = Result<'review.panel_list'>['reviews'][number];

/**
 * Keeps reviews in step with the yard: one is refreshed when the agent it is about has stopped working, and is closed with
 * its surface. Marks can be missed while a connection is down, so all is compared whenever there is a new one.
 */
export class ReviewWatch {
  readonly #bus: Bus;
  readonly #database: ReviewDatabase;
  readonly #reviews: Reviews;
  readonly #sender: Sender;
  readonly #log: Log;
  readonly #ends: (() => void)[] = [];
  readonly #stopping = new AbortController();
  /** Sources that have been idle since they were last seen working. */
  readonly #settled = new Set<string>();
  readonly #refreshing = new Map<string, { again: boolean; done: Promise<void> }>();

  constructor(parts: { bus: Bus; database: ReviewDatabase; reviews: Reviews; sender: Sender; log: Log }) {
    this.#bus = parts.bus;
    this.#database = parts.database;
    this.#reviews = parts.reviews;
    this.#sender = parts.sender;
    this.#log = parts.log;
  }

  start(): void {
    this.#ends.push(
      this.#bus.subscribe('agent.state_changed', ({ surface_id, state }) => this.#stateChanged(surface_id, state)),
      this.#bus.subscribe('surface.closed', ({ surface_id }) => this.#closed(surface_id)),
      this.#bus.subscribe('service.ready', ({ service }) => {
        if (service === 'workspace-service') this.#catchUp();
      }),
      this.#bus.onReconnect(() => this.#catchUp()),
    );
    this.#catchUp();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.reverse()) end();
    this.#stopping.abort();
    await Promise.allSettled([...this.#refreshing.values()].map(({ done }) => done));
  }

  #stateChanged(sourceId: string, state: Listed['state']): void {
    if (state === 'working') this.#settled.delete(sourceId);
    if (state !== 'idle' || this.#settled.has(sourceId)) return;
    const about = this.#database.reviews.openOf(sourceId);
    if (about.length === 0) return;
    this.#settled.add(sourceId);
    for (const { surfaceId } of about) this.#refresh(surfaceId);
  }

  #closed(surfaceId: string): void {
    this.#settled.delete(surfaceId);
    try {
      this.#reviews.closed(surfaceId);
    } catch (error) {
      this.#log.error({ err: error, surface_id: surfaceId }, 'that a review was closed could not be stored');
    }
  }

  #catchUp(): void {
    this.#compare().catch((error: Error) => {
      // Not running yet: its `service.ready` brings us here again.
      this.#log.debug({ reason: error.message }, 'the reviews could not be compared with their surfaces');
    });
  }

  async #compare(): Promise<void> {
    const open = this.#database.reviews.open();
    await this.#sender.settle();
    if (open.length === 0) return;
    const listed = new Map((await this.#bus.call('review.panel_list', {})).reviews.map((one) => [one.surface_id, one]));
    for (const { surfaceId, sourceId, generatedAt } of open) {
      const found = listed.get(surfaceId);
      if (found === undefined) this.#closed(surfaceId);
      else if (found.state === 'idle' && (found.since ?? 0) > generatedAt) {
        this.#settled.add(sourceId);
        this.#refresh(surfaceId);
      }
    }
  }

  /** In the background; a wish that comes meanwhile makes for one more round. */
  #refresh(surfaceId: string): void {
    const running = this.#refreshing.get(surfaceId);
    if (running) {
      running.again = true;
      return;
    }
    const round = { again: false, done: this.#refreshOnce(surfaceId) };
    this.#refreshing.set(surfaceId, round);
    void round.done.then(() => {
      this.#refreshing.delete(surfaceId);
      if (round.again && !this.#stopping.signal.aborted) this.#refresh(surfaceId);
    });
  }

  async #refreshOnce(surfaceId: string): Promise<void> {
    try {
      await this.#reviews.refresh(surfaceId, this.#stopping.signal);
    } catch (error) {
      // The worktree may be gone, or the review closed meanwhile; whoever asks for a refresh is told.
      this.#log.info({ err: error, surface_id: surfaceId }, 'a review could not be refreshed');
    }
  }
}
