import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Params } from '@switchyard/protocol';
import { fakeBus } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workspaceGitHandlers } from '../src/handlers/workspace-git.js';
import { GitTree, numbered } from './git-tree.js';

const NAMES = ['a -> b', 'a b.txt', 'new\nline', 'q"uote', 'tab\there', 'ä.txt', '-dash', ':(glob)*'];

let repo: GitTree;
beforeEach(() => {
  repo = new GitTree();
});
afterEach(() => repo.remove());

const bus = fakeBus();
await bus.serve('git-service', '_', workspaceGitHandlers(bus) as never);
const diff = (params: Params<'workspace.git.diff'> = {}) =>
  bus.call('workspace.git.diff', { directory: repo.path, ...params });
const fileOf = async (path: string, params: Params<'workspace.git.diff'> = {}) => {
  const { files } = await diff(params);
  return files.find((file) => file.path === path) ?? expect.fail(`${path} is not among ${files.map((f) => f.path)}`);
};
const linesOf = ({ hunks }: { hunks: { lines: { kind: string; text: string; no_newline?: true }[] }[] }) =>
  hunks.flatMap(({ lines }) =>
    lines.map(
      ({ kind, text, no_newline }) =>
        `${{ added: '+', removed: '-', context: ' ' }[kind]}${text}${no_newline ? '¶' : ''}`,
    ),
  );
const kinds = async (params: Params<'workspace.git.diff'> = {}) =>
  Object.fromEntries((await diff(params)).files.map(({ path, kind }) => [path, kind]));

describe('workspace.git.diff', () => {
  it('compares HEAD, index and files as the mode says', async () => {
    repo.write('file', 'one\n');
    repo.commit();
    repo.write('file', 'two\n');
    repo.git('add', 'file');
    repo.write('file', 'three\n');
    repo.write('new', 'new\n');
    expect(linesOf(await fileOf('file'))).toEqual(['-one', '+three']);
    expect(linesOf(await fileOf('file', { mode: 'staged' }))).toEqual(['-one', '+two']);
    expect(linesOf(await fileOf('file', { mode: 'unstaged' }))).toEqual(['-two', '+three']);
    expect(await fileOf('new')).toMatchObject({ status: 'added', untracked: true, old_mode: null, additions: 1 });
    expect(Object.keys(await kinds({ mode: 'staged' }))).toEqual(['file']);
    expect(Object.keys(await kinds({ untracked: false }))).toEqual(['file']);
    expect(Object.keys(await kinds({ paths: ['new'] }))).toEqual(['new']);
  });

  it('compares a branch with where it left its base, with all that is not committed', async () => {
    repo.write('file', 'one\n');
    repo.commit();
    const base = repo.git('rev-parse', 'HEAD').trim();
    repo.git('switch', '-q', '-c', 'topic');
    repo.write('done');
    repo.commit();
    repo.git('switch', '-q', 'main');
    repo.write('later');
    repo.commit();
    repo.git('switch', '-q', 'topic');
    repo.write('file', 'two\n');
    expect(await diff({ mode: 'branch' })).toMatchObject({ base_branch: 'main', base_commit: base });
    expect(Object.keys(await kinds({ mode: 'branch' }))).toEqual(['done', 'file']);
    await expect(diff({ mode: 'branch', base_branch: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(diff({ mode: 'branch', base_branch: '--output=x' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells hunks with their numbers and headings, and as many unchanged lines as are wanted', async () => {
    const body = (tenth: string) => numbered(20, (line) => `  ${line === 10 ? tenth : `line ${line}`}`);
    repo.write('file.c', `int main(void)\n{\n${body('line 10')}}\n`);
    repo.commit();
    repo.write('file.c', `int main(void)\n{\n${body('x')}}\n`);
    expect(await fileOf('file.c')).toMatchObject({ status: 'modified', kind: 'text', additions: 1, deletions: 1 });
    expect((await fileOf('file.c')).hunks).toMatchObject([
      { old_start: 9, old_lines: 7, new_start: 9, new_lines: 7, heading: 'int main(void)' },
    ]);
    expect(linesOf(await fileOf('file.c', { context_lines: 0 }))).toEqual(['-  line 10', '+  x']);
  });

  it('says nothing of files of which only the times have changed', async () => {
    repo.write('a');
    repo.write('b');
    repo.commit();
    repo.write('b', 'new\n');
    utimesSync(repo.at('a'), new Date(2001, 1, 1), new Date(2001, 1, 1));
    expect(Object.keys(await kinds())).toEqual(['b']);
    expect(Object.keys(await kinds({ mode: 'unstaged' }))).toEqual(['b']);
  });

  it('takes no lock and leaves the index as it is', async () => {
    repo.write('a');
    repo.commit();
    utimesSync(repo.at('a'), new Date(2001, 1, 1), new Date(2001, 1, 1));
    writeFileSync(repo.at('.git/index.lock'), '');
    expect((await diff()).files).toEqual([]);
  });

  it('runs no diff program, no text conversion and no hook, and keeps its form whatever the settings are', async () => {
    repo.write('.gitattributes', '*.x diff=shout\n*.y diff=other\n');
    repo.write('a.x', 'one\n');
    repo.write('b.y', 'one\n');
    repo.commit();
    const trace = join(repo.outside, 'ran');
    repo.git('config', 'diff.external', `touch ${trace}`);
    repo.git('config', 'diff.shout.textconv', `touch ${trace}; tr a-z A-Z <`);
    repo.git('config', 'diff.other.command', `touch ${trace}`);
    repo.git('config', 'core.fsmonitor', `touch ${trace}`);
    for (const [name, value] of Object.entries({
      'diff.noprefix': 'true',
      'diff.mnemonicPrefix': 'true',
      'diff.context': '0',
      'diff.suppressBlankEmpty': 'true',
      'diff.renames': 'false',
      'diff.colorMoved': 'plain',
      'color.ui': 'always',
      'core.quotePath': 'true',
      'status.short': 'true',
    })) {
      repo.git('config', name, value);
    }
    repo.write('a.x', 'two\n\n');
    repo.write('b.y', 'two\n');
    expect(linesOf(await fileOf('a.x'))).toEqual(['-one', '+two', '+']);
    expect(linesOf(await fileOf('b.y'))).toEqual(['-one', '+two']);
    expect(() => execFileSync('test', ['-e', trace])).toThrow();
  });

  it('tells conflicts as one file each', async () => {
    repo.write('both', 'base\n');
    repo.write('gone', 'base\n');
    repo.commit();
    repo.git('switch', '-q', '-c', 'other');
    repo.write('both', 'theirs\n');
    repo.write('gone', 'theirs\n');
    repo.commit();
    repo.git('switch', '-q', 'main');
    repo.write('both', 'ours\n');
    rmSync(repo.at('gone'));
    repo.commit();
    expect(() => repo.git('merge', 'other')).toThrow();
    for (const mode of ['uncommitted', 'unstaged', 'staged'] as const) {
      const { files } = await diff({ mode });
      expect(
        files.map(({ path }) => path),
        mode,
      ).toEqual([...new Set(files.map(({ path }) => path))]);
      expect(
        files.map(({ path }) => path),
        mode,
      ).toContain('both');
    }
    const unstaged = await fileOf('both', { mode: 'unstaged' });
    expect(unstaged).toMatchObject({ status: 'unmerged', kind: 'text' });
    expect(linesOf(unstaged)).toContain('+theirs');
    expect(await fileOf('both', { mode: 'staged' })).toMatchObject({ status: 'unmerged', hunks: [] });
  });

  it('F1: keeps every name as it is, and those of renamed files', async () => {
    for (const name of NAMES) repo.write(name, numbered(20));
    repo.write(
      'old "name"\n',
      numbered(30, (line) => `other ${line}`),
    );
    repo.commit();
    for (const name of NAMES)
      repo.write(
        name,
        numbered(20, (line) => `line ${line === 3 ? 'x' : line}`),
      );
    renameSync(repo.at('old "name"\n'), repo.at('ünder -> "new"'));
    repo.git('add', '-A');
    for (const name of NAMES) repo.write(`${name}.new`);
    const { files } = await diff();
    expect(files.map(({ path }) => path).sort()).toEqual(
      [...NAMES, 'ünder -> "new"', ...NAMES.map((name) => `${name}.new`)].sort(),
    );
    for (const name of NAMES) expect(linesOf(await fileOf(name))).toContain('+line x');
    expect(await fileOf('ünder -> "new"')).toMatchObject({
      status: 'renamed',
      old_path: 'old "name"\n',
      similarity: 100,
    });
    for (const name of NAMES) expect((await diff({ paths: [name] })).files.map(({ path }) => path)).toEqual([name]);
  });

  it('F1: says the bytes of a name that is no UTF-8', async () => {
    const bytes = Buffer.from('caf\xe9', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${repo.path}/`), bytes]), 'x\n');
    expect((await diff()).files).toMatchObject([
      { path: 'caf\ufffd', path_bytes: bytes.toString('base64'), kind: 'text' },
    ]);
    repo.commit();
    for (const name of ['a', 'z']) repo.write(name);
    writeFileSync(Buffer.concat([Buffer.from(`${repo.path}/`), bytes]), 'y\n');
    repo.git('add', '-A');
    const first = await diff({ limit: 1 });
    const second = await diff({ limit: 1, cursor: first.next_cursor ?? '' });
    const third = await diff({ limit: 1, cursor: second.next_cursor ?? '' });
    expect([first, second, third].map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['a'],
      ['caf\ufffd'],
      ['z'],
    ]);
  });

  it('F7: works on a branch without a commit, with either hash', async () => {
    repo.write('staged');
    repo.git('add', 'staged');
    repo.write('new');
    expect(await diff()).toMatchObject({ head: null, files: [{ path: 'staged', untracked: false }, { path: 'new' }] });
    expect(Object.keys(await kinds({ mode: 'staged' }))).toEqual(['staged']);
    await expect(diff({ mode: 'branch', base_branch: 'main' })).rejects.toMatchObject({ code: 'not_found' });
    const sha256 = new GitTree('--object-format=sha256');
    sha256.write('staged');
    sha256.git('add', 'staged');
    expect((await diff({ directory: sha256.path, mode: 'staged' })).files.map(({ path }) => path)).toEqual(['staged']);
    sha256.remove();
  });

  it('F7: works on a detached HEAD, in a sparse checkout, and in a folder below the top', async () => {
    repo.write('in/file');
    repo.write('out/file');
    repo.commit();
    repo.git('checkout', '-q', '--detach');
    repo.git('sparse-checkout', 'set', 'in');
    expect((await diff()).files).toEqual([]);
    repo.write('in/file', 'new\n');
    expect(await kinds({ directory: repo.at('in') })).toEqual({ 'in/file': 'text' });
  });

  it('F7: says of a bare repository, and of a format that git does not know, that they are not supported', async () => {
    const bare = join(repo.outside, 'bare.git');
    execFileSync('git', ['init', '-q', '--bare', bare]);
    await expect(diff({ directory: bare })).rejects.toMatchObject({ code: 'not_supported' });
    await expect(diff({ directory: repo.at('.git') })).rejects.toMatchObject({ code: 'not_supported' });
    repo.git('config', 'core.repositoryFormatVersion', '1');
    repo.git('config', 'extensions.unheardOf', 'yes');
    await expect(diff()).rejects.toMatchObject({ code: 'not_supported' });
    await expect(diff({ directory: repo.outside })).rejects.toMatchObject({ code: 'not_a_git_repo' });
  });

  it('F7: works where refs are in a reftable, or says that git is too old for it', async () => {
    let table: GitTree;
    try {
      table = new GitTree('--ref-format=reftable');
    } catch {
      repo.git('config', 'core.repositoryFormatVersion', '1');
      repo.git('config', 'extensions.refStorage', 'reftable');
      await expect(diff()).rejects.toMatchObject({ code: 'not_supported' });
      return;
    }
    table.write('file', 'one\n');
    table.commit();
    table.write('file', 'two\n');
    expect(await kinds({ directory: table.path })).toEqual({ file: 'text' });
    table.remove();
  });

  it('F7: tells commits of submodules, and whether they are dirty', async () => {
    const inner = new GitTree();
    inner.write('file', 'one\n');
    inner.commit();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub');
    repo.commit();
    const old = inner.git('rev-parse', 'HEAD').trim();
    repo.write('sub/file', 'two\n');
    expect(await fileOf('sub')).toMatchObject({
      kind: 'submodule',
      hunks: [],
      submodule: { old_commit: old, new_commit: old, dirty: true },
    });
    const first = await diff();
    repo.git('-C', 'sub', 'commit', '-qam', 'two');
    const now = repo.git('-C', 'sub', 'rev-parse', 'HEAD').trim();
    expect(await fileOf('sub')).toMatchObject({ submodule: { old_commit: old, new_commit: now, dirty: false } });
    const second = await diff();
    expect(second.snapshot).not.toBe(first.snapshot);
    repo.git('-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'three');
    expect((await diff()).snapshot).not.toBe(second.snapshot);
    inner.remove();
  });

  it('F8: a page of another state of the tree is refused, whatever has changed', async () => {
    for (const name of ['a', 'b', 'c', 'd']) repo.write(name);
    repo.commit();
    for (const name of ['a', 'b', 'c', 'd']) repo.write(name, 'new\n');
    const { next_cursor, snapshot } = await diff({ limit: 2 });
    const next = () => diff({ limit: 2, cursor: next_cursor ?? '' });
    expect(await next()).toMatchObject({ snapshot, files: [{ path: 'c' }, { path: 'd' }], next_cursor: null });
    const changes: [string, () => void, () => void][] = [
      ['a file of the first page', () => repo.write('a', 'wen\n'), () => undefined],
      ['a further file', () => repo.write('e'), () => rmSync(repo.at('e'))],
      ['the index', () => repo.git('add', 'a'), () => repo.git('reset', '-q')],
      ['a file that is gone', () => rmSync(repo.at('d')), () => repo.write('d', 'new\n')],
      ['HEAD', () => repo.git('commit', '-q', '--allow-empty', '-m', 'x'), () => undefined],
    ];
    for (const [what, change] of changes) {
      const { next_cursor: cursor } = await diff({ limit: 2 });
      change();
      await expect(diff({ limit: 2, cursor: cursor ?? '' }), what).rejects.toMatchObject({ code: 'snapshot_changed' });
    }
    const other = await diff({ limit: 2 });
    await expect(diff({ limit: 2, mode: 'unstaged', cursor: other.next_cursor ?? '' })).rejects.toMatchObject({
      code: 'snapshot_changed',
    });
    await expect(diff({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('F8: pages put together are the whole, renames and untracked files among them', async () => {
    for (let n = 0; n < 30; n++)
      repo.write(
        `f${n}`,
        numbered(20, (line) => `${n} ${line}`),
      );
    repo.commit();
    for (let n = 0; n < 30; n += 3) {
      repo.git('mv', `f${n}`, `g${n}`);
      repo.write(`f${n + 1}`, 'new\n');
      rmSync(repo.at(`f${n + 2}`));
      repo.write(`new${n}`);
    }
    const whole = await diff();
    expect(whole.files.map(({ status }) => status)).toContain('renamed');
    const pieces = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await diff({ limit: 7, ...(cursor !== undefined && { cursor }) });
      expect(page.files.length).toBeLessThanOrEqual(7);
      pieces.push(...page.files);
      cursor = page.next_cursor;
    }
    expect(pieces).toEqual(whole.files);
  });

  it('F9: reads what a symbolic link says, and never what it points to', async () => {
    repo.write('tracked', 'text\n');
    repo.write('folder/file', 'text\n');
    symlinkSync('tracked', repo.at('link'));
    repo.commit();
    const secret = join(repo.outside, 'secret');
    mkdirSync(secret);
    writeFileSync(join(secret, 'file'), 'of somebody else\n');
    for (const [name, target] of [
      ['tracked', '/etc/passwd'],
      ['link', '/etc/shadow'],
      ['new', '/etc/hosts'],
    ] as const) {
      rmSync(repo.at(name), { force: true });
      symlinkSync(target, repo.at(name));
    }
    rmSync(repo.at('folder'), { recursive: true });
    symlinkSync(secret, repo.at('folder'));
    const { files } = await diff();
    expect(files).toMatchObject([
      { path: 'folder/file', status: 'deleted', kind: 'text' },
      { path: 'link', kind: 'symlink', hunks: [], symlink: { old_target: 'tracked', new_target: '/etc/shadow' } },
      {
        path: 'tracked',
        status: 'type_changed',
        kind: 'typechange',
        hunks: [],
        old_mode: '100644',
        new_mode: '120000',
        symlink: { old_target: null, new_target: '/etc/passwd' },
      },
      { path: 'folder', untracked: true, kind: 'symlink', symlink: { new_target: secret } },
      { path: 'new', untracked: true, kind: 'symlink', symlink: { new_target: '/etc/hosts' } },
    ]);
    expect(JSON.stringify(files)).not.toMatch(/root:|of somebody else/);
  });

  it('F9: shows nothing of a link that takes the place of a file while it is read', async () => {
    const secret = join(repo.outside, 'secret');
    writeFileSync(secret, 'of somebody else\n');
    repo.write('file', 'one\n');
    repo.commit();
    repo.write('file', 'two\n');
    const loop = 'while :; do ln -s "$0" new; mv new file; echo two >new; mv new file; done';
    const swapping = spawn('sh', ['-c', loop, secret], { cwd: repo.path });
    try {
      const codes = new Set<string>();
      for (let n = 0; n < 15; n++) {
        const said = await diff({ paths: ['file'] }).catch((error: { code: string }) => error);
        if ('code' in said) codes.add(said.code);
        else expect(JSON.stringify(said.files)).not.toContain('of somebody else');
      }
      expect([...codes].filter((code) => code !== 'snapshot_changed')).toEqual([]);
    } finally {
      const gone = once(swapping, 'exit');
      swapping.kill('SIGKILL');
      await gone;
    }
  });

  it('F9: tells binary and too large files, mode changes, line ends and missing final newlines', async () => {
    repo.write('binary', Buffer.from([1, 0, 2]));
    repo.write('large', numbered(300_000));
    repo.write('script', '#!/bin/sh\n');
    repo.write('crlf', 'one\ntwo\n');
    repo.write('newline', 'one\n');
    repo.write('wide', 'x\n');
    repo.commit();
    repo.write('binary', Buffer.from([1, 0, 3]));
    repo.write(
      'large',
      numbered(300_000, (line) => `line ${line === 7 ? 'x' : line}`),
    );
    chmodSync(repo.at('script'), 0o755);
    repo.write('crlf', 'one\r\ntwo\r\n');
    repo.write('newline', 'one');
    repo.write(
      'wide',
      numbered(90_000, () => ''),
    );
    repo.write('new-binary', Buffer.from([0]));
    repo.write('new-large', numbered(300_000));
    repo.write('new-empty', '');
    repo.write('new-line', 'x');
    expect(await kinds()).toEqual({
      binary: 'binary',
      crlf: 'text',
      large: 'too_large',
      newline: 'text',
      script: 'text',
      wide: 'too_large',
      'new-binary': 'binary',
      'new-empty': 'text',
      'new-large': 'too_large',
      'new-line': 'text',
    });
    expect(await fileOf('script')).toMatchObject({ old_mode: '100644', new_mode: '100755', hunks: [], additions: 0 });
    expect(linesOf(await fileOf('crlf'))).toEqual(['-one', '-two', '+one\r', '+two\r']);
    expect(linesOf(await fileOf('newline'))).toEqual(['-one', '+one¶']);
    expect(linesOf(await fileOf('new-line'))).toEqual(['+x¶']);
    expect((await fileOf('new-empty')).hunks).toEqual([]);
    repo.git('add', '-A');
    expect(await kinds({ mode: 'staged' })).toMatchObject({
      binary: 'binary',
      large: 'too_large',
      'new-large': 'too_large',
    });
  });

  it('F9: withholds secrets, also when they were renamed, and when git does not know them', async () => {
    const secret = numbered(10, (line) => `TOKEN_${line}=hunter2`);
    repo.write('.env', secret);
    repo.write('deploy/key.pem', secret);
    repo.write('plain.txt', numbered(10));
    repo.commit();
    repo.git('mv', '.env', 'settings.txt');
    repo.git('mv', 'plain.txt', '.env.local');
    repo.write('deploy/key.pem', `${secret}NEW=hunter2\n`);
    repo.write('.env.new', secret);
    const { files } = await diff();
    expect(files.map(({ path, kind, old_path }) => [path, kind, old_path])).toEqual([
      ['.env.local', 'withheld', 'plain.txt'],
      ['deploy/key.pem', 'withheld', null],
      ['settings.txt', 'withheld', '.env'],
      ['.env.new', 'withheld', null],
    ]);
    expect(JSON.stringify(files)).not.toContain('hunter2');
    expect(files.every(({ hunks, additions }) => hunks.length === 0 && additions === null)).toBe(true);
  });

  it('keeps a page within its bytes, and goes on with the next', async () => {
    for (let n = 0; n < 6; n++) repo.write(`f${n}`, numbered(8000));
    const first = await diff();
    expect(first.files.length).toBeLessThan(6);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(2.5 * 1024 * 1024);
    const second = await diff({ cursor: first.next_cursor ?? '' });
    expect([...first.files, ...second.files].map(({ path }) => path)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5']);
  });

  it('tells the first two hundred untracked files and counts the others', async () => {
    for (let n = 0; n < 205; n++) repo.write(`f${String(n).padStart(3, '0')}`, 'x\n');
    expect(await diff({ limit: 500 })).toMatchObject({ untracked_omitted: 5, next_cursor: null });
    expect((await diff({ limit: 500 })).files.length).toBe(200);
  });
});
