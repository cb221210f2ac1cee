/** In the environment of every git that changes something: finds the processes of an operation whose service died. */
export const OPERATION_VARIABLE = 'SWITCHYARD_GIT_OPERATION';

/** Values that survive JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** What became of an operation whose service died: the change was carried out, or nothing of it is left. */
export type Recovered = 'completed' | 'undone';

/** A change of a repository that takes several steps, as it is kept on disk until it is over. */
export interface OperationRecord {
  /** A UUID; also the name of its file, and what request ids are derived from. */
  readonly id: string;
  /** The method that it carries out: `worktree.create`. */
  readonly kind: string;
  /** Canonical common folder of the repository: what is locked meanwhile. */
  readonly repo: string;
  /** What it is about. A later call with the same identity is told what became of it. */
  readonly identity: string;
  /** Unix milliseconds. */
  readonly begunAt: number;
  /** What recovery has to know; given when it begins. */
  readonly facts: Facts;
  /** What has been done, oldest first. */
  readonly steps: readonly Step[];
  /** Set when recovery finished it; it stays on disk until somebody has been told. */
  readonly outcome: Outcome | null;
}

export interface Step {
  readonly name: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly facts: Facts;
}

export interface Outcome {
  readonly recovered: Recovered;
  /** One sentence for a person. */
  readonly detail: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What a result says of an earlier run that was cut off. */
export interface RecoveryNote {
  readonly outcome: Recovered;
  readonly detail: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The facts of the last step of that name; undefined when it has not been done. */
export function stepOf(record: OperationRecord, name: string): Facts | undefined {
  return record.steps.findLast((step) => step.name === name)?.facts;
}

export function withStep(record: OperationRecord, name: string, facts: Facts, at: number): OperationRecord {
  return { ...record, steps: [...record.steps, { name, at, facts }] };
}

/**
 * Outcomes that nobody asked for are kept only so long: the newest `limit`.
 * @returns ids of those that can go
 */
export function outdatedOutcomes(records: readonly OperationRecord[], limit: number): string[] {
  return records
    .flatMap(({ id, outcome }) => (outcome === null ? [] : [{ id, at: outcome.at }]))
    .sort((a, b) => b.at - a.at)
    .slice(limit)
    .map(({ id }) => id);
}

/** Reads what a file holds. @returns undefined when it is no record: damaged, or of a later version */
export function readRecord(text: string): OperationRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is OperationRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, repo, identity, begunAt, facts, steps } = value as Record<string, unknown>;
  const named = [id, kind, repo, identity].every((part) => typeof part === 'string');
  return named && typeof begunAt === 'number' && typeof facts === 'object' && facts !== null && Array.isArray(steps);
}
