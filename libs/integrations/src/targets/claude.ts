import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Surroundings, Target } from '../domain/target.js';
import { groups } from './hook-lists.js';

const ABOUT_TOOLS = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'];

const facts = {
  agent: 'claude',
  version: 1,
  events: [
    { event: 'SessionStart', tells: 'session' },
    { event: 'UserPromptSubmit', tells: 'session, working' },
    { event: 'PreToolUse', tells: 'working; blocked when the tool asks the person' },
    { event: 'PermissionRequest', tells: 'blocked' },
    { event: 'PostToolUse', tells: 'working' },
    { event: 'PostToolUseFailure', tells: 'working; idle when the person interrupted it' },
    { event: 'Notification', tells: 'blocked for permission_prompt and elicitation_dialog, idle for idle_prompt' },
    { event: 'Stop', tells: 'idle' },
    { event: 'StopFailure', tells: 'idle' },
    { event: 'SessionEnd', tells: 'gone, unless another session follows' },
  ],
} as const;

export const claude: Target = {
  ...facts,
  title: 'Claude Code',
  basis: 'recorded',
  folder: { env: ['CLAUDE_CONFIG_DIR'], home: '.claude' },
  gaps: ['no event after Esc, neither at a permission prompt nor while it streams', 'no event after a refusal'],
  after: [],
  files: (around: Surroundings) => [
    {
      path: join(around.dir, 'settings.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({
        entries: groups(facts, around, ABOUT_TOOLS),
        switches: [{ path: ['disableAllHooks'], off: true }],
      }),
    },
  ],
};
