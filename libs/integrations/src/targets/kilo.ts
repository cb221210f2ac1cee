import { join } from 'node:path';
import type { Target } from '../domain/target.js';
import { assetFile, IN_PROCESS_EVENTS } from './in-process.js';

const facts = { agent: 'kilo', version: 1 } as const;

/** It has grown out of opencode and takes the same plugins, from a folder of its own. */
export const kilo: Target = {
  ...facts,
  title: 'Kilo Code CLI',
  basis: 'documented',
  folder: { env: ['KILO_CONFIG_DIR'], home: '.config/kilo', xdg: 'kilo' },
  events: IN_PROCESS_EVENTS,
  gaps: ['no event at the end of the program', 'versions before 1.0 have no plugins'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'plugin', 'switchyard.js'),
      reason: 'a plugin that reports the session and the state; child sessions do not count, their questions do',
      editor: assetFile(facts, around, 'opencode/switchyard.js'),
    },
  ],
};
