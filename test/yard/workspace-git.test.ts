import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CLI, tempDir } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const ENV = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const WHO = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

describe('status and diff of a worktree', () => {
  const yard = useYard();
  const dir = tempDir('sy-git');
  const repo = join(realpathSync(dir.path), 'repo');
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...WHO, ...args], { env: ENV, stdio: 'pipe' });

  beforeAll(() => {
    mkdirSync(join(repo, 'below'), { recursive: true });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repo, 'below/file'), 'one\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    writeFileSync(join(repo, 'below/file'), 'two\n');
    writeFileSync(join(repo, '.env'), 'TOKEN=hunter2\n');
  });
  afterAll(() => dir.remove());

  /** The command line as it is typed in a folder. */
  async function typedIn(folder: string, ...args: string[]) {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env: yard().env });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, err, code };
  }

  it('is that of the folder a terminal is in, asked for by workspace or by surface', async () => {
    const client = await yard().client();
    const { workspace_id, surface_id } = await client.call('workspace.create', { cwd: join(repo, 'below') });
    for (const where of [{ workspace_id }, { surface_id }, { directory: repo }]) {
      const status = await client.call('workspace.git.status', where);
      expect(status).toMatchObject({ root: repo, branch: 'main', counts: { unstaged: 1, untracked: 1 } });
      const diff = await client.call('workspace.git.diff', where);
      expect(diff.files.map(({ path, kind }) => [path, kind])).toEqual([
        ['below/file', 'text'],
        ['.env', 'withheld'],
      ]);
      expect(JSON.stringify(diff)).not.toContain('hunter2');
    }
  });

  it('is shown by the CLI, of the folder it is typed in, with paths from there', async () => {
    expect((await typedIn(join(repo, 'below'), 'git-status')).out).toBe('main\n M below/file\n?? .env\n');
    expect(await typedIn(join(repo, 'below'), 'diff', 'file')).toEqual({
      out: 'modified: below/file  +1 -1\n@@ -1,1 +1,1 @@\n-one\n+two\n',
      err: '',
      code: 0,
    });
    expect(await typedIn(repo, 'diff', '--staged')).toMatchObject({ out: '', err: 'Nothing has changed.\n', code: 0 });
    expect(await typedIn(repo, 'diff', '--staged', '--base', 'main')).toMatchObject({ out: '', code: 2 });
    const { files } = JSON.parse((await typedIn(repo, '--json', 'diff')).out);
    expect(files).toHaveLength(2);
  });
});
