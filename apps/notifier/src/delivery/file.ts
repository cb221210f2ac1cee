import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Adapter } from './adapter.js';

/** Then it is renamed to `.1`, in place of the one before. */
const ROTATE_BYTES = 8 * 1024 * 1024;
const OWNER_ONLY = 0o600;

/** A file that grows by one line of JSON for each notification. */
export function fileAdapter(path: string): Adapter {
  return {
    name: 'file',
    deliver: async ({ id, attempt, message }) => {
      await mkdir(dirname(path), { recursive: true });
      if ((await sizeOf(path)) >= ROTATE_BYTES) await rename(path, `${path}.1`);
      await appendFile(path, `${JSON.stringify({ delivery_id: id, attempt, ...message })}\n`, { mode: OWNER_ONLY });
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 0;
  }
}
