import { join } from 'node:path';
import { jsonHooks } from '../domain/json-hooks.js';
import type { Target } from '../domain/target.js';
import { commandFor } from './hook-lists.js';

const TIMEOUT_SECONDS = 5;
/** It wants an answer from every hook; this one decides nothing. */
const NO_OPINION = "echo '{}'; ";

const facts = {
  agent: 'antigravity',
  version: 1,
  events: [
    { event: 'PreInvocation', tells: 'session, working' },
    { event: 'Stop', tells: 'idle, unless something goes on behind the prompt' },
  ],
} as const;

export const antigravity: Target = {
  ...facts,
  title: 'Antigravity CLI',
  basis: 'documented',
  folder: { env: [], home: '.gemini/config' },
  gaps: [
    'no event when it asks for permission or a question: a hook on PreToolUse would decide about the tool, so there is none',
    'no event at its start and its end',
  ],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'hooks.json'),
      reason: 'a block of hooks of its own that report the session and the state',
      editor: jsonHooks({
        entries: facts.events.map(({ event }) => ({
          event,
          entry: {
            type: 'command',
            command: `${NO_OPINION}${commandFor(facts, around, event)}`,
            timeout: TIMEOUT_SECONDS,
          },
        })),
        place: 'switchyard',
        switches: [{ path: ['switchyard', 'enabled'], off: false }],
      }),
    },
  ],
};
