/** A place in a journal: everything up to `seq` has been read. */
export interface JournalPosition {
  /** Which journal: a new one has a new id, in which old numbers mean nothing. */
  readonly journal: string;
  readonly seq: number;
}

/** Letters and digits, so that the separator is never part of it. */
const POSITION = /^([0-9A-Za-z]{1,64})\.(0|[1-9]\d{0,15})$/;

/** The cursor that clients get; what is in it is no business of theirs. */
export function encodeCursor({ journal, seq }: JournalPosition): string {
  return Buffer.from(`${journal}.${seq}`, 'latin1').toString('base64url');
}

/** @returns undefined for what was never a cursor */
export function decodeCursor(cursor: string): JournalPosition | undefined {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(cursor)) return undefined;
  const match = POSITION.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, journal = '', seq = ''] = match ?? [];
  return match === null || !Number.isSafeInteger(Number(seq)) ? undefined : { journal, seq: Number(seq) };
}
