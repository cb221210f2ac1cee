import { fail } from '@switchyard/protocol';

/** Names the last row of a page; it holds when that row is gone. */
export function encodeCursor(seq: number): string {
  return Buffer.from(`n${seq}`).toString('base64url');
}

/** @throws SwitchyardError `invalid_params` for what was never a cursor */
export function decodeCursor(cursor: string): number {
  const [, digits] = /^n(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return digits === undefined ? fail('invalid_params', 'The cursor is none of ours.', { cursor }) : Number(digits);
}
