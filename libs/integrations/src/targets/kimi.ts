import { join } from 'node:path';
import type { Target } from '../domain/target.js';
import { tomlBlock } from '../formats/toml-parts.js';
import { commandFor } from './hook-lists.js';

const facts = {
  agent: 'kimi',
  version: 1,
  events: [
    { event: 'SessionStart', tells: 'session' },
    { event: 'UserPromptSubmit', tells: 'session, working' },
    { event: 'PreToolUse', tells: 'working' },
    { event: 'PermissionRequest', tells: 'blocked' },
    { event: 'PermissionResult', tells: 'working' },
    { event: 'PostToolUse', tells: 'working' },
    { event: 'PostToolUseFailure', tells: 'working' },
    { event: 'Stop', tells: 'idle' },
    { event: 'StopFailure', tells: 'idle' },
    { event: 'Interrupt', tells: 'idle' },
    { event: 'SessionEnd', tells: 'gone' },
  ],
} as const;

export const kimi: Target = {
  ...facts,
  title: 'Kimi Code CLI',
  basis: 'documented',
  folder: { env: [], home: '.kimi-code' },
  gaps: [
    'a version that does not know one of these events refuses its whole configuration: it takes a version with Interrupt and PermissionResult',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'config.toml'),
      reason: 'hooks that report the session and the state',
      editor: tomlBlock(
        facts.events
          .map(
            ({ event }) =>
              `[[hooks]]\nevent = "${event}"\ncommand = ${JSON.stringify(commandFor(facts, around, event))}`,
          )
          .join('\n'),
        facts.version,
      ),
    },
  ],
};
