import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { tomlFlag } from '../formats/toml-parts.js';
import { groups } from './hook-lists.js';

const facts = {
  agent: 'codex',
  version: 1,
  events: [
    { event: 'SessionStart', tells: 'session' },
    { event: 'UserPromptSubmit', tells: 'session, working' },
    { event: 'PreToolUse', tells: 'working' },
    { event: 'PermissionRequest', tells: 'blocked' },
    { event: 'PostToolUse', tells: 'working' },
    { event: 'Stop', tells: 'idle' },
  ],
} as const;

export const codex: Target = {
  ...facts,
  title: 'Codex',
  basis: 'recorded',
  folder: { env: ['CODEX_HOME'], home: '.codex' },
  gaps: [
    'SessionStart comes only with the first prompt',
    'no event after Esc or a refusal',
    'a server that it leaves behind runs the hooks for all terminals: events are taken from the terminal that started it, for the directory that codex is in there, and others are not reported',
    'no event at the end of the program',
    '`notify` is not used: it also fires for the side thread that makes titles',
  ],
  after: ['The next start of codex asks to review the new hooks; they run once you trust them.'],
  files: (around) => [
    {
      path: join(around.dir, 'hooks.json'),
      reason: 'hooks that report the session and the state',
      editor: jsonHooks({
        entries: groups(
          facts,
          around,
          facts.events.map(({ event }) => event),
        ),
      }),
    },
    {
      path: join(around.dir, 'config.toml'),
      reason: 'switches hooks on',
      editor: tomlFlag('features', 'hooks', facts.version),
    },
  ],
};
