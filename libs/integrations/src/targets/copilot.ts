import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { commands } from './hook-lists.js';

const TIMEOUT_SECONDS = 5;

const facts = {
  agent: 'copilot',
  version: 1,
  events: [
    { event: 'sessionStart', tells: 'session' },
    { event: 'userPromptSubmitted', tells: 'session, working' },
    { event: 'preToolUse', tells: 'working' },
    { event: 'permissionRequest', tells: 'blocked' },
    { event: 'notification', tells: 'blocked for permission_prompt and elicitation_dialog' },
    { event: 'postToolUse', tells: 'working' },
    { event: 'agentStop', tells: 'idle' },
    { event: 'sessionEnd', tells: 'gone' },
  ],
} as const;

export const copilot: Target = {
  ...facts,
  title: 'GitHub Copilot CLI',
  basis: 'recorded',
  folder: { env: ['COPILOT_HOME'], home: '.copilot' },
  gaps: ['sessionStart comes only with the first prompt', 'no event after a refusal'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'hooks', 'switchyard.json'),
      reason: 'a file of hooks of its own',
      editor: jsonHooks({
        entries: commands(facts, around, 'bash', { type: 'command', timeoutSec: TIMEOUT_SECONDS }),
        scaffold: { version: 1 },
      }),
    },
  ],
};
