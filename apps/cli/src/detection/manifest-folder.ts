import { join } from 'node:path';
import type { YardPaths } from '@switchyard/config/paths';

/** Where a person's own manifests are; the detectors read the same folder. */
export const manifestFolder = ({ configDir }: Pick<YardPaths, 'configDir'>): string =>
  join(configDir, 'agent-detection');
