import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fakeBus, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifestFolders } from '../src/config.js';
import { ManifestSchema } from '../src/domain/manifest-schema.js';
import { agentHandlers } from '../src/handlers/agent.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const mine = (agent: string, bucket: string) => ({
  version: 1,
  agent,
  display_name: `My ${agent}`,
  recognize: { process_names: ['mine'], screen_patterns: ['MINE'] },
  states: [{ bucket, priority: 1, anchor_last_n_lines: 0, patterns: ['ready'], confidence: 'low' }],
});

describe('agent.detection', () => {
  const dir = { current: tempDir('sy-detect') };
  const own = () => join(dir.current.path, 'own');
  const write = (name: string, value: unknown) => writeFileSync(join(own(), name), JSON.stringify(value));
  const place = { window_id: 'W', window_ref: 'window:1', workspace_id: 'S', workspace_ref: 'workspace:1' };
  const shows = (text: string) => ({
    ...place,
    surface_id: 'F',
    surface_ref: 'surface:1',
    text,
    base64: '',
    offset: 1,
    rev: 1,
    cols: 80,
    rows: 24,
  });
  const bus = (screen: string) => {
    const fake = fakeBus({ 'surface.read_text': () => shows(screen) });
    const folders = { bundled: fileURLToPath(new URL('../manifests/', import.meta.url)), overrides: [own()] };
    return fake.serve('detector', '_', agentHandlers({ bus: fake, log: quiet, folders })).then(() => fake);
  };

  beforeEach(() => {
    dir.current = tempDir('sy-detect');
    mkdirSync(own());
  });
  afterEach(() => dir.current.remove());

  it('lists bundled and added manifests sorted by agent', async () => {
    write('z.json', mine('aaa', 'idle'));
    const { manifests } = await (await bus('')).call('agent.detection.list', {});
    expect(manifests.map(({ agent, source }) => [agent, source])).toEqual([
      ['aaa', 'override'],
      ['claude-code', 'bundled'],
    ]);
  });

  it('lets an override take the place of a bundled manifest by its agent, not its file name', async () => {
    write('anything.json', mine('claude-code', 'idle'));
    const { manifests } = await (await bus('')).call('agent.detection.list', {});
    expect(manifests).toHaveLength(1);
    expect(manifests[0]).toMatchObject({ source: 'override', shadows_bundled: true, display_name: 'My claude-code' });
  });

  it('reads the folder on every call and skips what is no manifest', async () => {
    const fake = await bus('');
    const agents = async () => (await fake.call('agent.detection.list', {})).manifests.map(({ agent }) => agent);
    write('broken.json', { version: 2 });
    writeFileSync(join(own(), 'text.json'), 'not json');
    expect(await agents()).toEqual(['claude-code']);
    write('new.json', mine('new', 'idle'));
    expect(await agents()).toEqual(['claude-code', 'new']);
  });

  it('classifies the screen of a surface', async () => {
    write('mine.json', mine('mine', 'working'));
    expect(await (await bus('MINE\nready')).call('agent.detection.classify', {})).toMatchObject({
      requested_agent: null,
      recognized_via: 'screen_pattern',
      agent: 'mine',
      bucket: 'working',
      matched_pattern: 'ready',
      surface_ref: 'surface:1',
    });
  });

  it('uses the manifest that is asked for, and knows no other', async () => {
    write('mine.json', mine('mine', 'working'));
    const fake = await bus('ready');
    const explicit = await fake.call('agent.detection.classify', { agent: 'mine' });
    expect(explicit).toMatchObject({ recognized_via: 'explicit', bucket: 'working' });
    await expect(fake.call('agent.detection.classify', { agent: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('answers nulls where nothing matches', async () => {
    expect(await (await bus('plain')).call('agent.detection.classify', {})).toMatchObject({
      recognized_via: null,
      agent: null,
      bucket: null,
      confidence: null,
      matched_pattern: null,
    });
  });

  it("reads the peer's folder only with the compat switch", () => {
    const env = (programa: boolean) => ({ paths: { configDir: '/c' }, settings: { compat: { programa } } });
    const folders = (programa: boolean) => manifestFolders(env(programa) as never).overrides;
    expect(folders(false)).toEqual(['/c/agent-detection']);
    expect(folders(true)).toHaveLength(2);
    expect(folders(true)[0]).toMatch(/\.config\/programa\/agent-detection$/);
  });
});

describe('the published manifest schema', () => {
  it('is the one that manifests are checked against', () => {
    const published = fileURLToPath(new URL('../manifest.schema.json', import.meta.url));
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(JSON.parse(JSON.stringify(ManifestSchema)));
  });
});
