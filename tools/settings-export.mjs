// Writes what the settings are, for editors and readers: contract/settings.schema.json and docs/settings.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { settingsMarkdown, settingsSchema } from '../libs/config/dist/load.js';

for (const [path, text] of [
  ['contract/settings.schema.json', settingsSchema()],
  ['docs/settings.md', settingsMarkdown()],
]) {
  const file = new URL(`../${path}`, import.meta.url);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, text);
}
