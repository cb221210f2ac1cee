import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsMarkdown, settingsSchema } from './settings-document.js';

const published = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('the published description of the settings', () => {
  it('is current (else run `npm run contract`)', () => {
    expect(published('contract/settings.schema.json')).toBe(settingsSchema());
    expect(published('docs/settings.md')).toBe(settingsMarkdown());
  });
});
