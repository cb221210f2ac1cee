import { join } from 'node:path';
import type { Target } from '../domain/target.js';
import { assetFile, IN_PROCESS_EVENTS } from './in-process.js';

const facts = { agent: 'opencode', version: 1 } as const;

export const opencode: Target = {
  ...facts,
  title: 'opencode',
  basis: 'recorded',
  folder: { env: ['OPENCODE_CONFIG_DIR'], home: '.config/opencode', xdg: 'opencode' },
  events: IN_PROCESS_EVENTS,
  gaps: [
    'with a plugin folder the program installs a package from npm at its first start: without a network its screen stays blank for a minute',
    'no event at the end of the program',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'plugin', 'switchyard.js'),
      reason: 'a plugin that reports the session and the state; child sessions do not count, their questions do',
      editor: assetFile(facts, around, 'opencode/switchyard.js'),
    },
  ],
};
