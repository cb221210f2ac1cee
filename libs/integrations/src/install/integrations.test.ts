import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TempDir, tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BrokenConfig } from '../domain/broken-config.js';
import type { Target } from '../domain/target.js';
import { TARGETS, targetNamed } from '../targets/index.js';
import { ChangedMeanwhile, Integrations } from './integrations.js';

let folder: TempDir;
let home: string;
beforeEach(() => {
  folder = tempDir('sy-integrations');
  home = join(folder.path, 'home');
  mkdirSync(home);
});
afterEach(() => folder.remove());

const programs = { node: process.execPath, hook: '/opt/switchyard/hook.js', cli: '/opt/switchyard/main.js' };
const integrations = (more: { cli?: string; env?: Record<string, string> } = {}) =>
  new Integrations({ env: more.env ?? {}, home, programs: { ...programs, ...(more.cli && { cli: more.cli }) } });
const named = (agent: string): Target => targetNamed(agent) ?? expect.fail(`no target ${agent}`);

/** Every file below the home folder with its text and permissions, and every folder. */
function snapshot(): Record<string, string> {
  const all: Record<string, string> = {};
  const walk = (path: string) => {
    for (const name of readdirSync(path).sort()) {
      const entry = join(path, name);
      const mode = (lstatSync(entry).mode & 0o777).toString(8);
      if (lstatSync(entry).isDirectory()) {
        all[entry] = mode;
        walk(entry);
      } else all[entry] = `${mode} ${lstatSync(entry).isSymbolicLink() ? 'link' : readFileSync(entry, 'utf8')}`;
    }
  };
  walk(home);
  return all;
}
function put(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const read = (path: string) => readFileSync(join(home, path), 'utf8');
/** What is left of Switchyard's own folder does not count: it was made for all. */
const withoutOwn = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(join(home, '.local'))));

const ODD_JSON = '{\n\t// mine\n\t"model" : "x",\n\t"hooks": { "Stop": [ { "hooks": [] } ] },\n\n\n\t"z": [1,2,],\n}';
const ODD_TOML = '# mine\nmodel   =  "x"\n\n[projects."/a"] # p\ntrust_level = "trusted"';

describe.each(TARGETS.map((target) => [target.agent, target] as const))('%s', (_, target) => {
  it('is installed where nothing was, and gone again without a trace', async () => {
    const before = snapshot();
    const it = integrations();
    expect(await it.status(target)).toMatchObject({ state: 'missing', agentFound: false });
    const planned = await it.plan(target, 'install');
    expect(snapshot(), 'a plan writes nothing').toEqual(before);
    expect(await it.perform(target, 'install')).toEqual(planned);
    for (const { path, after } of planned) expect(readFileSync(path, 'utf8')).toBe(after);
    expect(await it.status(target)).toMatchObject({ state: 'current', agentFound: true });
    await it.perform(target, 'uninstall');
    expect(withoutOwn(snapshot())).toEqual({});
    expect(existsSync(join(home, '.local/share/switchyard'))).toBe(false);
    expect(await it.status(target)).toMatchObject({ state: 'missing', agentFound: false });
  });

  it('leaves odd files of a person byte for byte, also after a second installation', async () => {
    const it = integrations();
    const { files } = await it.status(target);
    for (const { path } of files) {
      if (path.endsWith('settings.json') || /\/(hooks|config)\.json$/.test(path))
        put(path.slice(home.length), ODD_JSON);
      if (path.endsWith('.toml')) put(path.slice(home.length), ODD_TOML);
    }
    put(`${(await it.status(target)).dir.slice(home.length)}/mine.txt`, 'mine');
    const before = withoutOwn(snapshot());
    await it.perform(target, 'install');
    const once = snapshot();
    expect(once).not.toEqual(before);
    expect(await it.perform(target, 'install'), 'nothing is left to do').toEqual([]);
    expect(snapshot()).toEqual(once);
    await it.perform(target, 'uninstall');
    expect(withoutOwn(snapshot())).toEqual(before);
    expect(await it.perform(target, 'uninstall')).toEqual([]);
  });

  it('says what it cannot do with a broken file, and touches nothing', async () => {
    const it = integrations();
    const { files } = await it.status(target);
    const path = files.at(-1)?.path ?? '';
    put(path.slice(home.length), '{ "a": [ = oops\n');
    const before = snapshot();
    await expect(it.perform(target, 'install')).rejects.toThrow(BrokenConfig);
    await expect(it.perform(target, 'install')).rejects.toThrow(path);
    expect(snapshot()).toEqual(before);
    expect((await it.status(target)).state).toBe('broken');
  });
});

describe('installing', () => {
  it('keeps permissions, follows links and leaves no temporary file', async () => {
    const real = put('dotfiles/claude.json', '{}\n');
    chmodSync(real, 0o600);
    mkdirSync(join(home, '.claude'));
    symlinkSync(real, join(home, '.claude/settings.json'));
    await integrations().perform(named('claude'), 'install');
    expect(lstatSync(join(home, '.claude/settings.json')).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(readFileSync(real, 'utf8')).toContain('hook claude Stop');
    expect(readdirSync(dirname(real))).toEqual(['claude.json']);
    await integrations().perform(named('claude'), 'uninstall');
    expect(readFileSync(real, 'utf8')).toBe('{}\n');
  });

  it('takes out only its own part when the file has changed in between', async () => {
    put('.claude/settings.json', '{\n  "theme": "dark"\n}\n');
    await integrations().perform(named('claude'), 'install');
    put('.claude/settings.json', read('.claude/settings.json').replace('"dark"', '"light"'));
    await integrations().perform(named('claude'), 'uninstall');
    expect(read('.claude/settings.json')).toBe('{\n  "theme": "light"\n}\n');
  });

  it('takes out its part also without a record of the installation', async () => {
    put('.codex/config.toml', 'a = 1');
    await integrations().perform(named('codex'), 'install');
    for (const name of readdirSync(join(home, '.local/share/switchyard/integrations')))
      writeFileSync(join(home, '.local/share/switchyard/integrations', name), 'not JSON');
    await integrations().perform(named('codex'), 'uninstall');
    expect(read('.codex/config.toml')).toBe('a = 1');
    expect(read('.codex/hooks.json')).toBe('{}\n');
  });

  it('calls an installation outdated whose launcher leads elsewhere, and renews it', async () => {
    await integrations().perform(named('claude'), 'install');
    const moved = integrations({ cli: '/opt/other/main.js' });
    expect((await moved.status(named('claude'))).state).toBe('outdated');
    expect((await moved.perform(named('claude'), 'install')).map(({ path }) => path)).toEqual([
      join(home, '.local/share/switchyard/bin/sy'),
    ]);
    expect((await moved.status(named('claude'))).state).toBe('current');
  });

  it('keeps the launcher while another agent starts it', async () => {
    const it = integrations();
    await it.perform(named('claude'), 'install');
    await it.perform(named('codex'), 'install');
    await it.perform(named('claude'), 'uninstall');
    expect(existsSync(join(home, '.local/share/switchyard/bin/sy'))).toBe(true);
    await it.perform(named('codex'), 'uninstall');
    expect(existsSync(join(home, '.local/share/switchyard/bin/sy'))).toBe(false);
  });

  it('leaves a script of somebody else alone, and says so', async () => {
    put('.cline/hooks/PreToolUse.sh', '#!/bin/sh\necho mine\n');
    await expect(integrations().perform(named('cline'), 'install')).rejects.toThrow('did not write');
    expect(readdirSync(join(home, '.cline/hooks'))).toEqual(['PreToolUse.sh']);
  });

  it('writes nothing when one of its folders cannot be made', async () => {
    put('.cline/hooks', 'a file where a folder should be');
    const before = snapshot();
    await expect(integrations().perform(named('cline'), 'install')).rejects.toThrow(BrokenConfig);
    expect(snapshot()).toEqual(before);
  });

  it('notices a file that changed after the plan', async () => {
    const file = put('.claude/settings.json', '{}');
    const target: Target = {
      ...named('claude'),
      files: (around) =>
        named('claude')
          .files(around)
          .map((spec) => ({
            ...spec,
            editor: {
              ...spec.editor,
              add: (text) => {
                writeFileSync(file, '{"new":1}');
                return spec.editor.add(text);
              },
            },
          })),
    };
    await expect(integrations().perform(target, 'install')).rejects.toThrow(ChangedMeanwhile);
    expect(read('.claude/settings.json')).toBe('{"new":1}');
  });

  it('goes where the variables of an agent point, and where it is told', async () => {
    const it = integrations({ env: { CODEX_HOME: join(home, 'elsewhere'), XDG_CONFIG_HOME: join(home, 'xdg') } });
    expect(it.folderOf(named('codex'))).toBe(join(home, 'elsewhere'));
    expect(it.folderOf(named('opencode'))).toBe(join(home, 'xdg/opencode'));
    expect(it.folderOf(named('codex'), '/given')).toBe('/given');
  });

  it('puts the hooks of droid where droid reads them', async () => {
    put('.factory/hooks.json', '{ "hooks": {} }');
    await integrations().perform(named('droid'), 'install');
    expect(read('.factory/hooks.json')).toContain('hook droid Stop');
    expect(existsSync(join(home, '.factory/settings.json'))).toBe(false);
    put('.factory/hooks.json', '{ "Stop": [] }');
    await expect(integrations().perform(named('droid'), 'install')).rejects.toThrow('it has no `hooks`');
  });

  it('keeps its records from others', async () => {
    await integrations().perform(named('claude'), 'install');
    expect(statSync(join(home, '.local/share/switchyard/integrations')).mode & 0o777).toBe(0o700);
  });
});
