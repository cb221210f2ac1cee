import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { CLAUDE_EVENTS } from './claude-kin.js';
import { groups } from './hook-lists.js';

const facts = { agent: 'grok', version: 1, events: CLAUDE_EVENTS };

export const grok: Target = {
  ...facts,
  title: 'Grok Build',
  basis: 'documented',
  folder: { env: [], home: '.grok' },
  gaps: [
    'no event when it asks for permission',
    'it also runs the hooks of Claude Code and Cursor, which then speak for it; the repeated reports change nothing',
    'the community `@vibe-kit/grok-cli` has no hooks',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'hooks', 'switchyard.json'),
      reason: 'a file of hooks of its own',
      editor: jsonHooks({ entries: groups(facts, around, []) }),
    },
  ],
};
