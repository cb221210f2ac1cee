import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceEnv } from '@switchyard/config';
import type { ManifestFolders } from './adapters/manifest-folders.js';

/** The folder of the manifests we ship, beside `src` and `dist` alike. */
export const BUNDLED_MANIFESTS = fileURLToPath(new URL('../manifests/', import.meta.url));

/** Where manifests come from: those we ship, with the compat switch the peer's folder, and the user's own. */
export function manifestFolders({ paths, settings }: Pick<ServiceEnv, 'paths' | 'settings'>): ManifestFolders {
  const peer = join(homedir(), '.config', 'programa', 'agent-detection');
  const own = join(paths.configDir, 'agent-detection');
  return { bundled: BUNDLED_MANIFESTS, overrides: settings.compat.programa ? [peer, own] : [own] };
}
