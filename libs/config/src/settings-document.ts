import { Settings } from './settings.js';

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

/** What `contract/settings.schema.json` holds: JSON Schema 2020-12 that editors can use for `config.toml`. */
export function settingsSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(JSON.parse(JSON.stringify(Settings)) as object),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** What `docs/settings.md` holds. */
export function settingsMarkdown(): string {
  const parts = [
    '# Settings',
    '',
    '<!-- Generated from libs/config/src/settings.ts by tools/settings-export.mjs. Do not edit. -->',
    '',
    'Read once at `switchyard up` from `config.toml` in the configuration folder (`SWITCHYARD_CONFIG_DIR`, else',
    '`$XDG_CONFIG_HOME/switchyard`, else `~/.config/switchyard`). Everything is optional. An unknown key or a wrong value',
    'stops the start with the file, the line and the key. The schema is published as `contract/settings.schema.json`.',
  ];
  for (const [group, schema] of Object.entries(Settings.properties)) {
    parts.push('', `## [${group}]`, '', '| key | values | default | meaning |', '| --- | --- | --- | --- |');
    for (const [key, property] of Object.entries(schema.properties)) parts.push(row(key, property as Property));
  }
  return `${parts.join('\n')}\n`;
}

function row(key: string, property: Property): string {
  return `| \`${key}\` | ${values(property)} | ${shown(property.default)} | ${property.description ?? ''} |`;
}

function values(property: Property): string {
  if (property.enum !== undefined) return property.enum.map((value) => `\`${value}\``).join(', ');
  if (property.type === 'integer') return `${property.minimum} – ${property.maximum}`;
  if (property.type === 'array') return 'array of strings';
  return property.type ?? '';
}

function shown(value: unknown): string {
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : `\`${String(value)}\``;
}
