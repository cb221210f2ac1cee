/** Why a disk takes nothing: codes of the contract. */
export type StorageFault = 'storage_full' | 'storage_read_only';

/** What the system says, and what it means. No quota is no space: both are over when something is removed. */
const SYSTEM: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EROFS: 'storage_read_only',
};
/** SQLITE_READONLY and SQLITE_FULL; extended codes have the primary one in their low byte. */
const SQLITE: ReadonlyMap<number, StorageFault> = new Map([
  [8, 'storage_read_only'],
  [13, 'storage_full'],
]);
/** SQLITE_IOERR_SHMSIZE: the index of the journal could not grow. */
const SQLITE_NO_ROOM_FOR_INDEX = 4874;
const PRIMARY_CODE = 0xff;

/**
 * Whether an error says that the disk is full or read-only, so that the same will succeed once it is not.
 * @param error of the file system or of SQLite; anything else is none
 */
export function storageFault(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (errcode === SQLITE_NO_ROOM_FOR_INDEX) return 'storage_full';
  if (typeof errcode === 'number') return SQLITE.get(errcode & PRIMARY_CODE);
  return typeof code === 'string' && Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined;
}

/** Whether the system's error code says so, where only that is known. */
export function storageFaultOfCode(code: string): StorageFault | undefined {
  return Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined;
}

/** One sentence for a person. @param path where, when the system says it */
export function storageMessage(fault: StorageFault, path?: string): string {
  const what = fault === 'storage_full' ? 'No room is left on the disk' : 'The disk is read-only';
  return `${what}${path === undefined ? '' : ` at ${path}`}; nothing was changed.`;
}
