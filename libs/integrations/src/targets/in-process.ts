import type { FileEditor } from '../domain/editor.js';
import { hasIntegrationMark, integrationMark, ownFile } from '../domain/own-file.js';
import type { Surroundings, Target } from '../domain/target.js';

/** What plugins that run inside their agent tell: they know the state themselves. */
export const IN_PROCESS_EVENTS = [
  { event: 'session', tells: 'session' },
  { event: 'working', tells: 'working' },
  { event: 'blocked', tells: 'blocked' },
  { event: 'idle', tells: 'idle' },
  { event: 'gone', tells: 'gone' },
] as const;

/** A file of this package, marked as ours, that starts the launcher. */
export function assetFile(
  { agent, version }: Pick<Target, 'agent' | 'version'>,
  around: Surroundings,
  name: string,
): FileEditor {
  const text = around
    .asset(name)
    .replace('@switchyard-integration@', integrationMark(agent, version))
    .replaceAll('@agent@', agent)
    .replace(/['"]@launcher@['"]/, JSON.stringify(around.launcher));
  return ownFile(text, hasIntegrationMark(agent));
}
