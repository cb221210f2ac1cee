import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { commands } from './hook-lists.js';

const facts = {
  agent: 'cursor',
  version: 1,
  events: [
    { event: 'sessionStart', tells: 'session' },
    { event: 'beforeSubmitPrompt', tells: 'session, working' },
    { event: 'preToolUse', tells: 'working' },
    { event: 'postToolUse', tells: 'working' },
    { event: 'stop', tells: 'idle' },
    { event: 'sessionEnd', tells: 'gone' },
  ],
} as const;

export const cursor: Target = {
  ...facts,
  title: 'Cursor Agent',
  basis: 'documented',
  folder: { env: [], home: '.cursor' },
  gaps: [
    'no event when it asks for permission',
    'the editor reads the same file; outside a terminal of a yard the hooks do nothing',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'hooks.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({ entries: commands(facts, around, 'command'), scaffold: { version: 1 } }),
    },
  ],
};
