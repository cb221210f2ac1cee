import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { ABOUT_TOOLS, CLAUDE_EVENTS, PERMISSION_REQUEST } from './claude-kin.js';
import { groups } from './hook-lists.js';

const facts = { agent: 'devin', version: 1, events: [...CLAUDE_EVENTS, PERMISSION_REQUEST] };

export const devin: Target = {
  ...facts,
  title: 'Devin CLI',
  basis: 'documented',
  folder: { env: [], home: '.config/devin', xdg: 'devin' },
  gaps: ['it also runs the hooks of Claude Code, which then speak for it; the repeated reports change nothing'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'config.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({ entries: groups(facts, around, ABOUT_TOOLS) }),
    },
  ],
};
