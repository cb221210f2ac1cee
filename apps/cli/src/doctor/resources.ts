import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { YardPaths } from '@switchyard/config';
import { type Finding, fault, hint, messageOf, ok } from './check.js';

const MiB = 1024 * 1024;
/** As `system.health` has it: what is below is soon in the way. */
const LOW = { bytes: 1024 * MiB, share: 0.05 };
/** With less nothing can be stored. */
const NOTHING_BYTES = 64 * 1024;
/** A log is moved aside at 8 MiB and one older is kept; the size is looked at only now and then. */
const LONGEST_LOG_BYTES = 32 * MiB;

/** Room, and the right to use it, where the yard keeps its things; before the first start where they will be. */
export function checkDisks({ stateDir, runtimeDir }: YardPaths): Finding[] {
  return [checkDisk('state folder', stateDir), checkDisk('disk of the runtime folder', runtimeDir)];
}

function checkDisk(what: string, folder: string): Finding {
  const there = nearest(folder);
  try {
    accessSync(there, constants.W_OK);
  } catch (error) {
    return fault(
      what,
      messageOf(error),
      `mount ${there} writable, or correct its mode; a yard that runs recovers by itself`,
    );
  }
  const { bavail, bsize, blocks } = statfsSync(there);
  const [free, size] = [bavail * bsize, blocks * bsize];
  const detail = `${Math.floor(free / MiB)} of ${Math.floor(size / MiB)} MiB are free at ${there}`;
  if (free < NOTHING_BYTES)
    return fault(what, detail, 'make room: changes are refused and programs wait until there is some');
  if (free < Math.min(LOW.bytes, size * LOW.share)) return hint(what, detail, 'make room before it is full');
  return ok(what, detail);
}

/** Logs of processes that have outgrown their bound. */
export function checkLogs({ logDir }: YardPaths): Finding {
  const large = sizesIn(logDir).filter(({ bytes }) => bytes > LONGEST_LOG_BYTES);
  const what = 'logs';
  if (large.length === 0) return ok(what, existsSync(logDir) ? `${logDir} is within its bounds` : 'none yet');
  const names = large.map(({ path, bytes }) => `${path} (${Math.floor(bytes / MiB)} MiB)`).join(', ');
  return hint(
    what,
    `over their bound: ${names}`,
    'a yard that runs moves them aside when there is room; else remove them',
  );
}

function sizesIn(folder: string): { readonly path: string; readonly bytes: number }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 };
  });
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
