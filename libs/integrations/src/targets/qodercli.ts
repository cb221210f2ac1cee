import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { ABOUT_TOOLS, CLAUDE_EVENTS, PERMISSION_REQUEST } from './claude-kin.js';
import { groups } from './hook-lists.js';

const facts = { agent: 'qodercli', version: 1, events: [...CLAUDE_EVENTS, PERMISSION_REQUEST] };

export const qodercli: Target = {
  ...facts,
  title: 'Qoder CLI',
  basis: 'documented',
  folder: { env: [], home: '.qoder' },
  gaps: ['no event after Esc'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'settings.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({ entries: groups(facts, around, ABOUT_TOOLS) }),
    },
  ],
};
