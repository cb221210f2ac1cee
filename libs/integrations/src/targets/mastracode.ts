import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { commands } from './hook-lists.js';

const TIMEOUT_MS = 5000;

const facts = {
  agent: 'mastracode',
  version: 1,
  events: [
    { event: 'SessionStart', tells: 'session' },
    { event: 'UserPromptSubmit', tells: 'session, working' },
    { event: 'AgentStart', tells: 'working' },
    { event: 'PreToolUse', tells: 'working' },
    { event: 'PermissionRequest', tells: 'blocked' },
    { event: 'PermissionResult', tells: 'working' },
    { event: 'PostToolUse', tells: 'working' },
    { event: 'Notification', tells: 'blocked for a question or an approval, idle for agent_done' },
    { event: 'Interrupt', tells: 'idle' },
    { event: 'AgentEnd', tells: 'idle, unless it waits for an answer' },
    { event: 'Stop', tells: 'idle' },
    { event: 'SessionEnd', tells: 'gone' },
  ],
} as const;

export const mastracode: Target = {
  ...facts,
  title: 'Mastra Code',
  basis: 'documented',
  folder: { env: [], home: '.mastracode' },
  gaps: [
    'its conversation may have no name yet when it tells of it (`session-init`), which is left out',
    'older versions know only the events of tools, prompts and sessions, and ignore the others',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'hooks.json'),
      reason: 'hooks that report the session and the state',
      // The events stand at the top of its file.
      editor: jsonHooks({
        entries: commands(facts, around, 'command', { type: 'command', timeout: TIMEOUT_MS }),
        place: null,
      }),
    },
  ],
};
