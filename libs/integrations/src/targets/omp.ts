import { join } from 'node:path';
import type { Target } from '../domain/target.js';
import { assetFile, IN_PROCESS_EVENTS } from './in-process.js';

const facts = { agent: 'omp', version: 1 } as const;

export const omp: Target = {
  ...facts,
  title: 'oh-my-pi',
  basis: 'recorded',
  folder: { env: [], home: '.omp/agent' },
  events: IN_PROCESS_EVENTS,
  gaps: ['runs without a screen (print and RPC mode, sub-agents) are not reported'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'extensions', 'switchyard.ts'),
      reason: 'an extension that reports the session and the state',
      editor: assetFile(facts, around, 'omp/switchyard.ts'),
    },
  ],
};
