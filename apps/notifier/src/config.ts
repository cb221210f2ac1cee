import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServiceEnv } from '@switchyard/config';
import type { Level } from './domain/words.js';

/** What the settings say of notifications. */
export interface NotifierConfig {
  readonly database: string;
  readonly yard: string;
  /** Of workspaces that say nothing themselves. */
  readonly level: Level;
  readonly desktop: boolean;
  /** Empty: none. */
  readonly command: readonly string[];
  readonly webhook: { readonly url: string; readonly secretFile: string; readonly mayMakeSecret: boolean } | null;
  readonly file: string | null;
  readonly clipboard: 'keep' | 'size' | 'off';
}

export function notifierConfig({ paths, settings }: Pick<ServiceEnv, 'paths' | 'settings'>): NotifierConfig {
  const {
    level,
    desktop,
    command,
    webhook_url: url,
    webhook_secret_file: secret,
    file,
    clipboard,
  } = settings.notifications;
  const own = join(paths.stateDir, 'webhook.secret');
  return {
    database: join(paths.stateDir, 'notifier.db'),
    yard: paths.yard,
    level,
    desktop,
    command,
    webhook:
      url === '' ? null : { url, secretFile: secret === '' ? own : expanded(secret), mayMakeSecret: secret === '' },
    file: file === '' ? null : expanded(file),
    clipboard,
  };
}

const expanded = (path: string) => (path.startsWith('~/') ? join(homedir(), path.slice(2)) : path);
