import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FakeBus, fakeBus, type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManifestLibrary } from '../src/adapters/manifest-library.js';
import { manifestFolders } from '../src/config.js';
import { ManifestSchema } from '../src/domain/manifest-schema.js';
import { ManifestSchema2 } from '../src/domain/manifest-schema-2.js';
import { agentHandlers } from '../src/handlers/agent.js';
import { sampleOfText } from '../src/handlers/sample-text.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const mine = (agent: string, bucket: string) => ({
  version: 1,
  agent,
  display_name: `My ${agent}`,
  recognize: { process_names: ['mine'], screen_patterns: ['MINE'] },
  states: [{ bucket, priority: 1, anchor_last_n_lines: 0, patterns: ['ready'], confidence: 'low' }],
});

describe('agent.detection', () => {
  let dir: TempDir;
  const library: { current: ManifestLibrary | null } = { current: null };
  const ids = async (fake: FakeBus) =>
    (await fake.call('agent.detection.list', {})).manifests.map(({ agent }) => agent);
  const own = () => join(dir.path, 'own');
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
    const { text: _, base64: __, ...place } = shows(screen);
    const sample = sampleOfText({ text: screen });
    const fake = fakeBus({
      'surface.read_text': () => shows(screen),
      'surface.sample': () => ({ ...place, sample }),
    });
    const folders = { bundled: fileURLToPath(new URL('../manifests/', import.meta.url)), overrides: [own()] };
    library.current = new ManifestLibrary(folders, quiet);
    return fake
      .serve('detector', '_', agentHandlers({ bus: fake, library: library.current, log: quiet }))
      .then(() => fake);
  };

  beforeEach(() => {
    dir = tempDir('sy-detect');
    mkdirSync(own());
  });
  afterEach(() => {
    library.current?.close();
    dir.remove();
  });

  it('lists bundled and added manifests sorted by agent', async () => {
    write('z.json', mine('aaa', 'idle'));
    const { manifests } = await (await bus('')).call('agent.detection.list', {});
    const agents = manifests.map(({ agent }) => agent);
    expect(agents).toEqual([...agents].sort());
    expect(manifests[0]).toMatchObject({ agent: 'aaa', version: 1, source: 'override' });
    expect(manifests.find(({ agent }) => agent === 'claude-code')).toMatchObject({ version: 2, source: 'bundled' });
  });

  it('lets an override take the place of a bundled manifest by its agent, not its file name', async () => {
    write('anything.json', mine('claude-code', 'idle'));
    const { manifests } = await (await bus('')).call('agent.detection.list', {});
    expect(manifests.filter(({ agent }) => agent === 'claude-code')).toHaveLength(1);
    expect(manifests.find(({ agent }) => agent === 'claude-code')).toMatchObject({
      source: 'override',
      shadows_bundled: true,
      display_name: 'My claude-code',
    });
  });

  it('reads the folder on every call and skips what is no manifest', async () => {
    const fake = await bus('');
    const before = await ids(fake);
    write('broken.json', { version: 2, agent: 'broken' });
    writeFileSync(join(own(), 'text.json'), 'not json');
    expect(await ids(fake)).toEqual(before);
    write('new.json', mine('new-one', 'idle'));
    expect(await ids(fake)).toEqual([...before, 'new-one'].sort());
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

  it('notices an override that appears, without being asked to read', async () => {
    const fake = await bus('');
    const sample = sampleOfText({ text: 'ready', process: 'mine' });
    library.current?.watch();
    const verdict = async () => (await fake.call('agent.evaluate', { samples: [sample] })).verdicts[0];
    expect(await verdict()).toMatchObject({ agent: null });
    write('mine.json', mine('mine', 'working'));
    await waitFor('the override counts', async () => (await verdict())?.agent === 'mine');
    expect(await verdict()).toMatchObject({ state: 'working', rule: 'mine/working' });
  });

  it('judges several screens in one call, and gives each its own verdict when it fails on one', async () => {
    write('mine.json', mine('mine', 'working'));
    const fake = await bus('');
    const broken = { ...sampleOfText({ text: 'x' }), lines: null as never };
    const samples = [sampleOfText({ text: 'ready', process: 'mine' }), broken, sampleOfText({ text: 'plain' })];
    const { verdicts } = await fake.call('agent.evaluate', { samples });
    expect(verdicts).toMatchObject([{ agent: 'mine', state: 'working' }, null, { agent: null }]);
  });

  it('explains which rules won and lost, and by what', async () => {
    write('mine.json', mine('mine', 'working'));
    const fake = await bus('MINE\nready');
    const { rules, agents, ...told } = await fake.call('agent.explain', {});
    expect(told).toMatchObject({ agent: 'mine', recognized_via: 'screen', state: 'working', surface_ref: 'surface:1' });
    expect(rules).toEqual([
      {
        rule: 'mine/working',
        says: 'working',
        priority: 1,
        outcome: 'won',
        reason: 'pattern ready',
        text: 'MINE\nready',
      },
    ]);
    expect(agents.find(({ agent }) => agent === 'mine')).toMatchObject({
      outcome: 'recognized',
      reason: 'screen: MINE',
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

describe('the published manifest schemas', () => {
  it.each([
    ['manifest.schema.json', ManifestSchema],
    ['manifest-2.schema.json', ManifestSchema2],
  ])('%s is the one that manifests are checked against', (file, schema) => {
    const published = fileURLToPath(new URL(`../${file}`, import.meta.url));
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
