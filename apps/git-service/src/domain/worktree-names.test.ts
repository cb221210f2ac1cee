import { describe, expect, it } from 'vitest';
import { defaultPath, isPlainBranchName, repositoryName, slugOf, worktreeIdentity } from './worktree-names.js';

describe('the default place of a worktree', () => {
  it('keeps letters, digits, -, _ and . of the branch, and has - for everything else', () => {
    expect(slugOf('feature/Größe_2.0 x')).toBe('feature-Gr--e_2.0-x');
  });

  it('is the folder, then the repository, then the branch', () => {
    expect(defaultPath('/w', 'repo', 'fix/it')).toBe('/w/repo/fix-it');
  });

  it('names the repository after its main checkout, and a bare one after itself', () => {
    const linked = { path: '/elsewhere/x', isMain: false };
    expect(repositoryName([{ path: '/src/app', isMain: true }, linked], '/src/app/.git')).toBe('app');
    expect(repositoryName([linked], '/srv/app.git')).toBe('app');
    expect(repositoryName([linked], '/srv/app/.git')).toBe('app');
  });
});

describe('branch names', () => {
  it('are refused when git would read them as something else', () => {
    const refused = ['-d', 'HEAD', 'refs/heads/a', 'main@{1}'];
    expect(refused.filter(isPlainBranchName)).toEqual([]);
    expect(['main', 'fix/it', 'a@b', 'head'].filter((name) => !isPlainBranchName(name))).toEqual([]);
  });
});

describe('the identity of a worktree', () => {
  it('does not mix up parts that run into each other', () => {
    expect(worktreeIdentity('/a', 'b,c', 'd')).not.toBe(worktreeIdentity('/a', 'b', 'c,d'));
  });
});
