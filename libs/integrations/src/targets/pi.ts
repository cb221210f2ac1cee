import { join } from 'node:path';
import type { Target } from '../domain/target.js';
import { assetFile, IN_PROCESS_EVENTS } from './in-process.js';

const facts = { agent: 'pi', version: 1 } as const;

export const pi: Target = {
  ...facts,
  title: 'pi',
  basis: 'recorded',
  folder: { env: ['PI_CODING_AGENT_DIR'], home: '.pi/agent' },
  events: IN_PROCESS_EVENTS,
  gaps: [
    'runs without a screen (print and RPC mode) are not reported',
    'older versions do not say when another extension asks something',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'extensions', 'switchyard.ts'),
      reason: 'an extension that reports the session and the state',
      editor: assetFile(facts, around, 'pi/switchyard.ts'),
    },
  ],
};
