import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { ABOUT_TOOLS, CLAUDE_EVENTS } from './claude-kin.js';
import { groups } from './hook-lists.js';

const facts = {
  agent: 'droid',
  version: 1,
  events: [...CLAUDE_EVENTS, { event: 'Notification', tells: 'blocked or idle, as far as its text says which' }],
};

export const droid: Target = {
  ...facts,
  title: 'Factory Droid',
  basis: 'documented',
  folder: { env: [], home: '.factory' },
  gaps: ['a notification has no kind: permission and idleness are told apart by its text', 'no event after Esc'],
  after: [],
  files: (around) => {
    // As soon as there is a hooks.json, droid no longer reads the hooks in settings.json.
    const own = join(around.dir, 'hooks.json');
    const hasOwn = around.read(own) !== null;
    const path = hasOwn ? own : join(around.dir, 'settings.json');
    const editor = jsonHooks({ entries: groups(facts, around, ABOUT_TOOLS), onlyInto: hasOwn });
    return [{ path, reason: 'hooks that report the session and the state', editor }];
  },
};
