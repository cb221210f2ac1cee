import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeYard } from './fake-yard.js';

let home: TempDir;
let yard: FakeYard;
beforeEach(async () => {
  home = tempDir('sy-home');
  yard = new FakeYard({ env: { HOME: home.path } });
  await yard.start();
});
afterEach(async () => {
  await yard.end();
  home.remove();
});

const settings = () => join(home.path, '.claude/settings.json');
const put = (text: string) => {
  mkdirSync(join(home.path, '.claude'), { recursive: true });
  writeFileSync(settings(), text);
};

describe('integrations', () => {
  it('are listed with what they tell and what they do not', async () => {
    const { integrations } = await yard.call('integration.list', {});
    expect(integrations.map(({ agent }) => agent)).toEqual(
      expect.arrayContaining(['claude', 'codex', 'gemini', 'kimi']),
    );
    for (const { state, agent_found, events, config_dir } of integrations) {
      expect({ state, agent_found }).toEqual({ state: 'missing', agent_found: false });
      expect(events.length).toBeGreaterThan(0);
      expect(config_dir.startsWith(home.path)).toBe(true);
    }
  });

  it('are shown before they are written, written, and taken back', async () => {
    put('{\n  "theme": "dark" // mine\n}\n');
    const dry = await yard.call('integration.install', { agent: 'claude', dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, state: 'missing' });
    expect(readFileSync(settings(), 'utf8')).toBe('{\n  "theme": "dark" // mine\n}\n');
    const done = await yard.call('integration.install', { agent: 'claude' });
    expect(done.state).toBe('current');
    expect(done.changes.map(({ path, action }) => [path, action])).toEqual(
      dry.changes.map(({ path, action }) => [path, action]),
    );
    expect(readFileSync(settings(), 'utf8')).toBe(dry.changes.at(-1)?.after);
    expect((await yard.call('integration.uninstall', { agent: 'claude' })).state).toBe('missing');
    expect(readFileSync(settings(), 'utf8')).toBe('{\n  "theme": "dark" // mine\n}\n');
  });

  it('name the file and the line of what is broken, and touch nothing', async () => {
    put('{\n  "theme": "dark"\n  "x": 1\n}\n');
    await expect(yard.call('integration.install', { agent: 'claude' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(`${settings()}: line 3`),
    });
    expect(readFileSync(settings(), 'utf8')).toBe('{\n  "theme": "dark"\n  "x": 1\n}\n');
    const { integrations } = await yard.call('integration.status', { agent: 'claude' });
    expect(integrations[0]).toMatchObject({ state: 'broken', files: [{ state: 'broken' }] });
  });

  it('tell what keeps them from working', async () => {
    put('{ "disableAllHooks": true }');
    expect((await yard.call('integration.install', { agent: 'claude' })).remarks).toEqual([
      'disableAllHooks is true: the agent runs no hooks',
    ]);
  });

  it('go into another folder when told so', async () => {
    const config_dir = join(home.path, 'other');
    await yard.call('integration.install', { agent: 'codex', config_dir });
    expect(readFileSync(join(config_dir, 'hooks.json'), 'utf8')).toContain('hook codex Stop');
    await yard.call('integration.install', { agent: 'codex', config_dir: '~/third' });
    const { integrations } = await yard.call('integration.status', { agent: 'codex', config_dir: '~/third' });
    expect(integrations[0]).toMatchObject({ state: 'current', config_dir: join(home.path, 'third') });
    await expect(yard.call('integration.install', { agent: 'codex', config_dir: 'here' })).rejects.toMatchObject({
      code: 'invalid_params',
    });
  });

  it('help with a name that is none', async () => {
    await expect(yard.call('integration.install', { agent: 'clod' })).rejects.toMatchObject({
      code: 'not_found',
      data: { known: expect.arrayContaining(['claude']) },
    });
  });
});
