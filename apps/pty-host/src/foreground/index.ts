import { Foreground } from './foreground.js';
import { procSource } from './proc-source.js';
import { psSource } from './ps-source.js';

export type { Foreground } from './foreground.js';
export { workingDirectory } from './working-directory.js';

/** Looks at the processes of this system. */
export function systemForeground(): Foreground {
  const now = () => performance.now();
  return new Foreground(process.platform === 'linux' ? procSource : psSource(now), now);
}
