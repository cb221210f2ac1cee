import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { groups } from './hook-lists.js';

/** Gemini waits for its hooks; ours end long before. */
const TIMEOUT_MS = 5000;

const facts = {
  agent: 'gemini',
  version: 1,
  events: [
    { event: 'SessionStart', tells: 'session' },
    { event: 'BeforeAgent', tells: 'session, working' },
    { event: 'BeforeTool', tells: 'working' },
    { event: 'Notification', tells: 'blocked for ToolPermission' },
    { event: 'AfterTool', tells: 'working' },
    { event: 'AfterAgent', tells: 'idle' },
    { event: 'SessionEnd', tells: 'gone, unless another session follows' },
  ],
} as const;

export const gemini: Target = {
  ...facts,
  title: 'Gemini CLI',
  basis: 'recorded',
  folder: { env: [], home: '.gemini' },
  gaps: [
    'no AfterAgent after a refusal',
    'it waits for each hook, so nothing is hung on BeforeModel and AfterModel, which come with every piece of text',
    '"Executing Hook" stays in its status line for a moment',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'settings.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({
        entries: groups(
          facts,
          around,
          facts.events.map(({ event }) => event),
          { name: 'switchyard', timeout: TIMEOUT_MS },
        ),
        switches: [{ path: ['hooksConfig', 'enabled'], off: false }],
      }),
    },
  ],
};
