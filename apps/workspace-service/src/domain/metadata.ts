import type { Result } from '@switchyard/protocol';
import type { Id } from './entities.js';
import { tellChange, tellLogged } from './metadata-notes.js';
import type { Model } from './model.js';

type LogLevel = Result<'workspace.log'>['level'];
type StatusFormat = Result<'workspace.list_status'>['entries'][number]['format'];

interface Entry {
  readonly id: string;
  readonly workspaceId: Id;
  /** Rises with every change of its kind in the workspace: the highest is the newest. */
  readonly n: number;
}

/** A line beside a workspace. */
export interface StatusRecord extends Entry {
  readonly kind: 'status';
  readonly key: string;
  readonly label: string | null;
  readonly value: string;
  readonly icon: string | null;
  readonly color: string | null;
  readonly url: string | null;
  readonly priority: number;
  readonly format: StatusFormat;
}

export interface ProgressRecord extends Entry {
  readonly kind: 'progress';
  readonly key: string;
  readonly label: string | null;
  readonly value: number;
  readonly total: number | null;
}

export interface BlockRecord extends Entry {
  readonly kind: 'block';
  readonly key: string;
  readonly markdown: string;
  readonly priority: number;
}

export interface LogRecord extends Entry {
  readonly kind: 'log';
  readonly message: string;
  readonly level: LogLevel;
  readonly source: string | null;
  readonly at: number;
}

export type KeyedRecord = StatusRecord | ProgressRecord | BlockRecord;
/** What is shown beside a workspace: one record an entry, so that a change writes no more than that. */
export type MetadataRecord = KeyedRecord | LogRecord;
export type MetadataKind = MetadataRecord['kind'];

type Given<T extends MetadataRecord> = Omit<T, 'id' | 'workspaceId' | 'n' | 'kind'>;

/** programa-api §5.6; the oldest go first. */
const ENTRIES_KEPT = 128;
/** 128 blocks of the largest size would be 32 MiB in memory and in one answer. */
const BLOCK_BYTES_KEPT = 4 * 1024 * 1024;
/** 500 messages of the largest size, likewise. */
const LOG_BYTES_KEPT = 1024 * 1024;
/** The one that the peer's clients set, which has no key there. */
export const MAIN_PROGRESS = 'main';

export const groupOf = ({ workspaceId, kind }: Pick<MetadataRecord, 'workspaceId' | 'kind'>): string =>
  `${workspaceId} ${kind}`;

/** Entries of one kind, oldest first. */
export function entriesOf<K extends MetadataKind>(
  model: Model,
  workspaceId: Id,
  kind: K,
): Extract<MetadataRecord, { kind: K }>[] {
  const entries = model.metadata.inGroup(groupOf({ workspaceId, kind })).sort((a, b) => a.n - b.n);
  return entries as Extract<MetadataRecord, { kind: K }>[];
}

/** Part of a change. An entry that says the same already is left as it is. */
export const setStatus = (model: Model, workspaceId: Id, given: Given<StatusRecord>): void =>
  setEntry(model, { kind: 'status', ...head(workspaceId, 'status', given.key), ...given });

export const setProgress = (model: Model, workspaceId: Id, given: Given<ProgressRecord>): void =>
  setEntry(model, { kind: 'progress', ...head(workspaceId, 'progress', given.key), ...given });

export const setBlock = (model: Model, workspaceId: Id, given: Given<BlockRecord>): void =>
  setEntry(model, { kind: 'block', ...head(workspaceId, 'block', given.key), ...given });

/** Part of a change. @returns whether there was one */
export function clearEntry(model: Model, workspaceId: Id, kind: KeyedRecord['kind'], key: string): boolean {
  const record = model.metadata.get(head(workspaceId, kind, key).id) as KeyedRecord | undefined;
  if (record !== undefined) removeEntry(model, record);
  return record !== undefined;
}

/** Part of a change. */
export function clearEntries(model: Model, workspaceId: Id, kind: KeyedRecord['kind']): void {
  for (const record of entriesOf(model, workspaceId, kind)) removeEntry(model, record);
}

/**
 * Part of a change.
 *
 * @param kept how many entries the log may have
 */
export function addToLog(model: Model, workspaceId: Id, given: Given<LogRecord>, kept: number): LogRecord {
  const n = nextIn(model, workspaceId, 'log');
  const record: LogRecord = { kind: 'log', id: `${workspaceId} log ${n}`, workspaceId, n, ...given };
  model.metadata.put(record);
  const excess = oldestBeyond(entriesOf(model, workspaceId, 'log'), kept, LOG_BYTES_KEPT, ({ message }) => message);
  for (const { id } of excess) model.metadata.remove(id);
  tellLogged(model, record);
  return record;
}

/** Part of a change. */
export function clearLog(model: Model, workspaceId: Id): void {
  const entries = entriesOf(model, workspaceId, 'log');
  for (const { id } of entries) model.metadata.remove(id);
  if (entries.length === 0) return;
  model.note({ kind: 'metadata.log_cleared', workspace_id: workspaceId, surface_id: null, data: {} });
}

/** Part of a change: all of a workspace, told as one event. */
export function resetMetadata(model: Model, workspaceId: Id): void {
  if (!removeAll(model, workspaceId)) return;
  model.note({ kind: 'metadata.reset', workspace_id: workspaceId, surface_id: null, data: {} });
}

/** Part of a change: what was shown beside workspaces that it has removed goes with them. */
export function forgetOrphans(model: Model): void {
  for (const { id, after } of model.workspaces.images()) if (after === undefined) removeAll(model, id);
}

function removeAll(model: Model, workspaceId: Id): boolean {
  const kinds: readonly MetadataKind[] = ['status', 'progress', 'block', 'log'];
  const all = kinds.flatMap((kind) => model.metadata.inGroup(groupOf({ workspaceId, kind })));
  for (const { id } of all) model.metadata.remove(id);
  return all.length > 0;
}

const head = (workspaceId: Id, kind: KeyedRecord['kind'], key: string) => ({
  id: `${workspaceId} ${kind} ${key}`,
  workspaceId,
  n: 0,
});

function setEntry(model: Model, wanted: KeyedRecord): void {
  const before = model.metadata.get(wanted.id);
  if (before !== undefined && isSame(before, wanted)) return;
  const { workspaceId, kind } = wanted;
  model.metadata.put({ ...wanted, n: nextIn(model, workspaceId, kind) });
  tellChange(model, wanted, false);
  const limit = kind === 'block' ? BLOCK_BYTES_KEPT : Number.POSITIVE_INFINITY;
  const textOf = (record: KeyedRecord) => (record.kind === 'block' ? record.markdown : '');
  for (const record of oldestBeyond<KeyedRecord>(entriesOf(model, workspaceId, kind), ENTRIES_KEPT, limit, textOf)) {
    removeEntry(model, record);
  }
}

function removeEntry(model: Model, record: KeyedRecord): void {
  model.metadata.remove(record.id);
  tellChange(model, record, true);
}

function nextIn(model: Model, workspaceId: Id, kind: MetadataKind): number {
  return 1 + model.metadata.inGroup(groupOf({ workspaceId, kind })).reduce((most, { n }) => Math.max(most, n), 0);
}

/** @param entries oldest first. @returns those that have to go; never the newest */
function oldestBeyond<T>(entries: readonly T[], count: number, bytes: number, textOf: (entry: T) => string): T[] {
  let size = 0;
  let from = entries.length;
  while (from > 0 && entries.length - from < count) {
    size += Buffer.byteLength(textOf(entries[from - 1] as T));
    if (size > bytes && from < entries.length) break;
    from--;
  }
  return entries.slice(0, from);
}

/** Which of them is newer makes no difference. */
function isSame(before: MetadataRecord, wanted: MetadataRecord): boolean {
  const facts = Object.entries(wanted).filter(([name]) => name !== 'n');
  return facts.every(([name, value]) => before[name as keyof MetadataRecord] === value);
}
