import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@switchyard/service';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Operations } from './operations.js';

describe('Operations', () => {
  let dir: ReturnType<typeof tempDir>;
  const log = createLog('test', 'silent');
  const folder = () => join(dir.path, 'operations');
  const open = async () => {
    const operations = new Operations(folder(), log);
    await operations.open();
    return operations;
  };
  const about = (identity: string, repo = '/r') => ({ kind: 'test', repo, identity, facts: { n: 1 } });
  beforeEach(() => {
    dir = tempDir('sy-operations');
  });
  afterEach(() => dir.remove());

  it('finds again what an earlier run has begun, with its facts and steps, the oldest first', async () => {
    const before = await open();
    const first = await before.begin(about('a'));
    await before.begin(about('b', '/other'));
    await first.step('made', { path: '/p' });
    const [found, other] = (await open()).unfinished();
    expect(found).toMatchObject({ id: first.id, kind: 'test', repo: '/r', identity: 'a', facts: { n: 1 } });
    expect(found?.did('made')).toEqual({ path: '/p' });
    expect(found?.did('more')).toBeUndefined();
    expect(other?.repo).toBe('/other');
    expect((await open()).unfinished('/other')).toHaveLength(1);
  });

  it('leaves nothing of what is done', async () => {
    const operations = await open();
    const operation = await operations.begin(about('a'));
    await operation.done();
    expect(operations.unfinished()).toEqual([]);
    expect(readdirSync(folder())).toEqual([]);
  });

  it('tells once, over restarts, what became of an operation whose caller is gone', async () => {
    const operation = await (await open()).begin(about('a'));
    await operation.recovered('undone', 'It was undone.');
    const after = await open();
    expect(after.unfinished()).toEqual([]);
    expect(await after.takeNote('b')).toBeNull();
    expect(await after.takeNote('a')).toMatchObject({ outcome: 'undone', detail: 'It was undone.' });
    expect(await after.takeNote('a')).toBeNull();
    expect(readdirSync(folder())).toEqual([]);
  });

  it('is not stopped by a write that was cut off or a file that cannot be read, and does not delete the latter', async () => {
    mkdirSync(folder());
    writeFileSync(join(folder(), 'half.json.new'), '{"id":');
    writeFileSync(join(folder(), 'bad.json'), 'nonsense');
    expect((await open()).unfinished()).toEqual([]);
    expect(readdirSync(folder())).toEqual(['bad.json']);
  });
});
