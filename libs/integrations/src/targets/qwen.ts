import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { groups } from './hook-lists.js';

const facts = {
  agent: 'qwen',
  version: 1,
  events: [
    { event: 'SessionStart', tells: 'session' },
    { event: 'UserPromptSubmit', tells: 'session, working' },
    { event: 'PermissionRequest', tells: 'blocked' },
    { event: 'PreToolUse', tells: 'working' },
    { event: 'PostToolUse', tells: 'working' },
    { event: 'PostToolUseFailure', tells: 'working; idle when the person interrupted it' },
    { event: 'Notification', tells: 'blocked for permission_prompt, idle for idle_prompt' },
    { event: 'Stop', tells: 'idle' },
    { event: 'SessionEnd', tells: 'gone, unless another session follows' },
  ],
} as const;

export const qwen: Target = {
  ...facts,
  title: 'Qwen Code',
  basis: 'recorded',
  folder: { env: ['QWEN_HOME'], home: '.qwen' },
  gaps: ['a refusal and Esc are told by the idle_prompt that follows, not at once'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'settings.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({
        entries: groups(facts, around, [], { name: 'switchyard' }),
        switches: [
          { path: ['disableAllHooks'], off: true },
          { path: ['hooksConfig', 'enabled'], off: false },
        ],
      }),
    },
  ],
};
