import { join } from 'node:path';
import type { Target } from '../domain/target.js';
import { yamlListItem } from '../formats/yaml-list.js';
import { assetFile, IN_PROCESS_EVENTS } from './in-process.js';

const facts = { agent: 'hermes', version: 1 } as const;

export const hermes: Target = {
  ...facts,
  title: 'Hermes Agent',
  basis: 'documented',
  folder: { env: ['HERMES_HOME'], home: '.hermes' },
  events: IN_PROCESS_EVENTS,
  gaps: ['a question that a tool of its own asks is not told, only an approval'],
  after: [],
  files: (around) => [
    {
      path: join(around.dir, 'config.yaml'),
      reason: 'enables the plugin',
      editor: yamlListItem(['plugins', 'enabled'], 'switchyard', facts.version),
    },
    {
      path: join(around.dir, 'plugins', 'switchyard', 'plugin.yaml'),
      reason: 'says what the plugin is',
      editor: assetFile(facts, around, 'hermes/plugin.yaml'),
    },
    {
      path: join(around.dir, 'plugins', 'switchyard', '__init__.py'),
      reason: 'a plugin that reports the session and the state; child sessions do not count',
      editor: assetFile(facts, around, 'hermes/__init__.py'),
    },
  ],
};
