import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifests } from '@switchyard/detector/engine';
import { runCli, type TempDir, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LIMIT_MS = 20_000;
const RECORDINGS = fileURLToPath(new URL('../../../test/fixtures/recordings/', import.meta.url));

let dir: TempDir;
beforeEach(() => {
  dir = tempDir();
});
afterEach(() => dir.remove());

function detection(...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir.path, SWITCHYARD_CONFIG_DIR: join(dir.path, 'config') };
  return runCli(['agent-detection', ...args], {
    env: { ...env, SWITCHYARD_RUNTIME_DIR: dir.path },
    timeoutMs: LIMIT_MS,
  });
}

describe('sy agent-detection test', () => {
  it('plays a recording and tells the states in their order, without a yard', async () => {
    const file = join(RECORDINGS, 'claude', 'turn-with-a-question.cast');
    const { code, stdout } = await detection('test', '--json', '--process', 'claude', file);
    expect(code).toBe(0);
    const [judged] = (JSON.parse(stdout) as { files: { changes: { state: string | null; t: number }[] }[] }).files;
    const states = judged?.changes.map(({ state }) => state) ?? [];
    expect(states).toEqual(expect.arrayContaining(['working', 'blocked', 'idle']));
    expect(states.indexOf('working')).toBeLessThan(states.indexOf('blocked'));
  });

  it('judges saved screens by the manifests of the user, too', async () => {
    const screen = join(dir.path, 'screen.txt');
    writeFileSync(screen, 'WORDS OF ITS BANNER\n\nhello\n');
    expect((await detection('test', screen)).stdout).toContain('no agent');
    expect(await detection('scaffold', '--write', 'my-agent')).toMatchObject({ code: 0 });
    expect((await detection('test', screen)).stdout).toContain(`${screen}: my-agent, `);
  });

  it.each([
    [[], 2, 'name the files'],
    [['/no/such/file'], 1, '/no/such/file'],
    [['--agent', 'nobody', RECORDINGS], 2, 'no manifest'],
  ])('test %j: exits with %i', async (args, exitCode, reason) => {
    const { code, stderr } = await detection('test', ...args);
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringContaining(reason) });
  });
});

describe('sy agent-detection scaffold', () => {
  const file = () => join(dir.path, 'config', 'agent-detection', 'my-agent.json');

  it('writes a manifest that the detectors take', async () => {
    await detection('scaffold', '--write', 'my-agent');
    const warnings: unknown[] = [];
    const warn = (facts: unknown) => warnings.push(facts);
    const log = { debug: warn, info: warn, warn, error: warn };
    const known = await readManifests({ bundled: join(file(), '..'), overrides: [] }, log);
    expect(known.map(({ engine }) => engine.agent)).toEqual(['my-agent']);
    expect(warnings).toEqual([]);
  });

  it('prints the same, and writes nothing, unless told to', async () => {
    const { stdout } = await detection('scaffold', 'my-agent');
    expect(() => readFileSync(file())).toThrow('ENOENT');
    await detection('scaffold', '--write', 'my-agent');
    expect(stdout).toBe(readFileSync(file(), 'utf8'));
  });

  it('never writes over a file', async () => {
    await detection('scaffold', '--write', 'my-agent');
    writeFileSync(file(), 'mine');
    expect(await detection('scaffold', '--write', 'my-agent')).toMatchObject({ code: 1 });
    expect(readFileSync(file(), 'utf8')).toBe('mine');
  });

  it.each(['', '../x', 'My Agent'])('refuses the name %j', async (name) => {
    expect(await detection('scaffold', '--write', name)).toMatchObject({ code: 2 });
  });
});
