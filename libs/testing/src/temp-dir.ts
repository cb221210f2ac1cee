import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TempDir {
  readonly path: string;
  remove(): void;
}

/** A new private folder with a short path: unix sockets allow about a hundred bytes, and $TMPDIR may be long. */
export function tempDir(prefix = 'sy'): TempDir {
  const path = mkdtempSync(join('/tmp', `${prefix}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
