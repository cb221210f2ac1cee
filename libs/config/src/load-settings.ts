import { readFileSync } from 'node:fs';
import { parseSettings } from './parse-settings.js';
import type { Settings } from './settings.js';

/**
 * Reads `config.toml`. A yard needs none: without the file everything has its default.
 *
 * @param file see `YardPaths.configFile`
 * @param env see {@link parseSettings}
 * @throws SettingsError for wrong content, the system's error for an unreadable file
 */
export function loadSettings(file: string, env: Record<string, string | undefined>): Settings {
  return parseSettings(readIfThere(file), file, env);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
