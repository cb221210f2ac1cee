import { fail, SwitchyardError } from '@switchyard/protocol';
import { type Mark, marksOf, NO_FILE } from '../adapters/tree-files.js';
import type { ChangeRecord } from '../domain/diff/raw-records.js';
import { type Comparison, compare } from './comparison.js';
import { listDifferences, readDifferences } from './git-diff.js';
import { areSame, fingerprint, isFile, type Listing, lookAt } from './listing.js';
import { Page } from './page.js';
import type { ChangesLimits, ChangesPage, ChangesQuestion, PageStart } from './question.js';
import { repositoryOf } from './repository.js';
import { listUntracked, type Untracked } from './untracked.js';

/** The coarsest clock of a file system in use: a file that was changed longer ago than this has an older time, surely. */
const CLOCK_GRAIN_MS = 2000;
/** Somebody who writes all the time is not waited for. */
const ATTEMPTS = 3;

const NONE: Untracked = { paths: [], omitted: 0 };

/**
 * The changed files of a folder, with what has changed in them: the one answer that status panels, reviews and diffs are
 * made of. It is of one state of the tree, or it fails; nothing outside the tree is read, no program of the repository
 * runs (but its clean filters, without which git cannot tell what has changed), and contents of secrets stay withheld.
 *
 * @param from where a further page begins; undefined: the first
 * @throws `snapshot_changed` when the tree is not in the state of the pages before, or does not hold still; `not_a_git_repo`,
 *   `not_supported` (bare repository, unknown format), `not_found` (base), `too_many_changes`, and what `git` throws
 */
export async function readChanges(
  question: ChangesQuestion,
  limits: ChangesLimits,
  signal: AbortSignal,
  from?: PageStart,
): Promise<ChangesPage> {
  const comparison = await compare(question, await repositoryOf(question.folder, signal), signal);
  const reading = new Reading(question, limits, comparison, signal);
  const ways = Array.from({ length: ATTEMPTS }, () => () => reading.afterLooking(from));
  if (from === undefined) ways.unshift(() => reading.inOneGo());
  const failures: SwitchyardError[] = [];
  for (const way of ways) {
    const page = await way().catch((error) => {
      failures.push(failureOfGit(error));
      return null;
    });
    if (page !== null) return page;
  }
  // A repository that git cannot read at all fails each time.
  const [failure] = failures;
  if (failure !== undefined && failures.length === ways.length) throw failure;
  return changed();
}

/** git gives up on a file that is put in the place of another while it reads. @throws any other error */
function failureOfGit(error: unknown): SwitchyardError {
  if (error instanceof SwitchyardError && error.code === 'git_command_failed') return error;
  throw error;
}

class Reading {
  readonly #question: ChangesQuestion;
  readonly #limits: ChangesLimits;
  readonly #comparison: Comparison;
  readonly #signal: AbortSignal;

  constructor(question: ChangesQuestion, limits: ChangesLimits, comparison: Comparison, signal: AbortSignal) {
    this.#question = question;
    this.#limits = limits;
    this.#comparison = comparison;
    this.#signal = signal;
  }

  /**
   * The first page with one run of git, which lists and reads. A file counts as read in the state that it is in
   * afterwards if it was last changed well before.
   * @returns null when one of the files has been changed just now, so that this cannot be known
   */
  async inOneGo(): Promise<ChangesPage | null> {
    const startedAt = Date.now();
    const page = new Page(0, this.#limits);
    const [records, untracked] = await Promise.all([this.#patches(page, null, 0), this.#untracked()]);
    const listing = await this.#look(records, untracked);
    const isSettled = this.#filesOf(page, listing).every(
      ({ before }) => before.mark !== NO_FILE && before.changedAtMs < startedAt - CLOCK_GRAIN_MS,
    );
    return isSettled ? this.#finish(page, listing, fingerprint(this.#question, this.#comparison, listing)) : null;
  }

  /**
   * A page with two runs of git: one lists, then the files are looked at, then another reads, and then they are looked at
   * again.
   * @returns null when something has changed meanwhile
   * @throws `snapshot_changed` when the tree is in another state than the pages before are of
   */
  async afterLooking(from: PageStart | undefined): Promise<ChangesPage | null> {
    const [records, untracked] = await Promise.all([this.#records(), this.#untracked()]);
    const listing = await this.#look(records, untracked);
    const snapshot = fingerprint(this.#question, this.#comparison, listing);
    if (from !== undefined && from.snapshot !== snapshot) return changed();
    const page = new Page(from?.index ?? 0, this.#limits);
    const read = await this.#patchesFrom(page, records);
    if (!areSame(read, records.slice(records.length - read.length))) return null;
    const seen = this.#filesOf(page, listing);
    const now = await lookAt(
      this.#comparison,
      seen.map(({ record }) => record),
      this.#signal,
    );
    const isAsBefore = seen.every(({ before }, at) => before.mark !== NO_FILE && before.mark === now[at]?.mark);
    return isAsBefore ? this.#finish(page, listing, snapshot) : null;
  }

  async #look(records: readonly ChangeRecord[], untracked: Untracked): Promise<Listing> {
    const [marks, untrackedMarks] = await Promise.all([
      lookAt(this.#comparison, records, this.#signal),
      marksOf(this.#comparison.top, untracked.paths),
    ]);
    return { records, marks, untracked, untrackedMarks };
  }

  /** The files of the tree that were read for a page, and what was seen of them when they were listed. */
  #filesOf(page: Page, { records, marks }: Listing): { record: ChangeRecord; before: Mark }[] {
    return page.read.flatMap((index) => {
      const [record, before] = [records[index], marks[index]];
      if (record === undefined || before === undefined) throw new RangeError(`no record ${index}`);
      return isFile(this.#comparison, record) ? [{ record, before }] : [];
    });
  }

  async #finish(page: Page, listing: Listing, snapshot: string): Promise<ChangesPage | null> {
    const { top, head, base } = this.#comparison;
    await page.measure(this.#comparison, listing, this.#signal);
    if (!(await page.addUntracked(top, listing))) return null;
    return {
      top,
      head,
      base,
      snapshot,
      files: page.files,
      next: page.next === null ? null : { snapshot, index: page.next },
      untrackedOmitted: listing.untracked.omitted,
    };
  }

  #records(): Promise<readonly ChangeRecord[]> {
    return listDifferences(this.#comparison, this.#question, this.#signal);
  }

  #untracked(): Promise<Untracked> {
    const { mode, untracked = true } = this.#question;
    if (!untracked || mode === 'staged') return Promise.resolve(NONE);
    return listUntracked(this.#comparison.top, this.#question, this.#limits.untracked, this.#signal);
  }

  async #patchesFrom(page: Page, records: readonly ChangeRecord[]): Promise<readonly ChangeRecord[]> {
    const first = records[page.start];
    // Nothing is left but untracked files.
    if (first === undefined) return [];
    const path = first.path.toString('utf8');
    // What is not UTF-8 cannot be an argument of a program here: then all is read, and what comes before is dropped.
    const canSkip = page.start > 0 && Buffer.from(path, 'utf8').equals(first.path);
    const at = records.findIndex((record) => record.path.equals(first.path));
    return this.#patches(page, canSkip ? path : null, canSkip ? at : 0);
  }

  /** @param before how many records git leaves out */
  #patches(page: Page, path: string | null, before: number): Promise<readonly ChangeRecord[]> {
    return readDifferences(this.#comparison, this.#question, path, this.#signal, (patched, records) =>
      page.add(patched, records, before),
    );
  }
}

function changed(): never {
  fail('snapshot_changed', 'The tree has changed since; ask for the first page again.');
}
