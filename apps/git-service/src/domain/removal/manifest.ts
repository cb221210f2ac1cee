import type { ByteText } from './byte-text.js';
import type { ItemKind } from './inventory.js';

/** What is known of something that was saved: the text beside its archive. */
export interface Manifest {
  readonly version: 1;
  /** Time and a random part: sorts by age. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Canonical common folder of the repository. */
  readonly repo: string;
  /** The folder of the worktree. */
  readonly path: string;
  readonly branch: string | null;
  /** Commit of its HEAD; null on a branch without one. */
  readonly head: string | null;
  /** Holds the commits; null when there was none to hold. */
  readonly ref: string | null;
  readonly commit: string | null;
  readonly reason: 'remove' | 'prune';
  readonly archive: { readonly bytes: number; readonly files: number };
  readonly items: readonly { readonly kind: ItemKind; readonly count: number }[];
  /** Tracked files that were not there. */
  readonly deleted: readonly ByteText[];
  /** What was left out, in words; null: nothing. */
  readonly leftOut: string | null;
}

/** @returns undefined when the text is no manifest of this version */
export function readManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, id, repo, path } = value as Record<string, unknown>;
  const named = [id, repo, path].every((part) => typeof part === 'string');
  return version === 1 && named ? (value as Manifest) : undefined;
}

/**
 * @param at Unix milliseconds
 * @param unique a UUID
 */
export function recoveryId(at: number, unique: string): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${stamp}-${unique.slice(0, 8).toLowerCase()}`;
}

const RECOVERY_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** Ids name files and references: nothing else may pass for one. */
export const isRecoveryId = (text: string): boolean => RECOVERY_ID.test(text);

/** The reference that holds the commits: under the branch, so that a person finds it. */
export function recoveryRef(branch: string | null, id: string): string {
  return `refs/switchyard/recovery/${branch ?? 'detached'}/${id}`;
}
