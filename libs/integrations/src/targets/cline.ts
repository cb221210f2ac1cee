import { join } from 'node:path';
import { hasIntegrationMark, integrationMark, ownFile } from '../domain/own-file.js';
import type { Target } from '../domain/target.js';
import { commandFor } from './hook-lists.js';

const facts = {
  agent: 'cline',
  version: 1,
  events: [
    { event: 'TaskStart', tells: 'session, working' },
    { event: 'TaskResume', tells: 'session, working' },
    { event: 'PreToolUse', tells: 'working' },
    { event: 'PostToolUse', tells: 'working' },
    { event: 'TaskCancel', tells: 'idle' },
    { event: 'TaskComplete', tells: 'idle' },
  ],
} as const;

export const cline: Target = {
  ...facts,
  title: 'Cline',
  basis: 'recorded',
  folder: { env: [], home: '.cline' },
  gaps: [
    'no event when it asks for permission: PreToolUse comes just before the question, PostToolUse after the answer',
    'no event at the end of the program',
    'one script for each event: where a person has one of that name, nothing is installed',
  ],
  after: [],
  files: (around) =>
    facts.events.map(({ event, tells }) => ({
      path: join(around.dir, 'hooks', `${event}.sh`),
      reason: `hook script: ${tells}`,
      executable: true,
      editor: ownFile(
        [
          '#!/bin/sh',
          `# ${integrationMark(facts.agent, facts.version)}`,
          `exec ${commandFor(facts, around, event)}`,
          '',
        ].join('\n'),
        hasIntegrationMark(facts.agent),
      ),
    })),
};
