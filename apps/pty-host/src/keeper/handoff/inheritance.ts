import type { Handed } from '@switchyard/service/exec';
import type { HandoffRecord } from './record.js';
import { readRecordFile } from './record-file.js';

/** What an earlier keeper of this process leaves to the next one: descriptors. */
export interface Bequest {
  readonly record: number;
  /** The listening socket: followers that connect meanwhile wait in it. */
  readonly socket: number;
  /** Version of the software that handed over. */
  readonly software: string;
}

/** How this keeper came to its terminals. */
export interface Inheritance {
  readonly bequest: Bequest;
  readonly record: HandoffRecord;
  /** This keeper handed over, but its successor failed with this reason, and it is back. */
  readonly returned?: string;
}

/** What a follower is told of the last handoff. */
export interface LastHandoff {
  readonly outcome: 'adopted' | 'returned';
  /** Version of the software that handed over; that which failed when it returned is not known. */
  readonly from: string;
  readonly reason: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}

/** @throws KeeperFault when the record cannot be read */
export function readInheritance({ state, returned }: Handed): Inheritance {
  const bequest = state as Bequest;
  return { bequest, record: readRecordFile(bequest.record), ...(returned !== undefined && { returned }) };
}

export function lastHandoff({ record, returned }: Inheritance, at: number): LastHandoff {
  return {
    outcome: returned === undefined ? 'adopted' : 'returned',
    from: record.software,
    reason: returned ?? null,
    at,
  };
}
