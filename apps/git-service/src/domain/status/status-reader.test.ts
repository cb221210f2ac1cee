import { describe, expect, it } from 'vitest';
import { StatusReader } from './status-reader.js';

const ID = 'a'.repeat(40);
const changed = (xy: string, path: string, sub = 'N...') => `1 ${xy} ${sub} 100644 100644 100644 ${ID} ${ID} ${path}`;
const renamed = (path: string, old: string) => `2 R. N... 100644 100644 100644 ${ID} ${ID} R100 ${path}\0${old}`;
const torn = (xy: string, path: string) => `u ${xy} N... 100644 100644 100644 100644 ${ID} ${ID} ${ID} ${path}`;

function read(fields: readonly string[], limit = 100, pieceBytes = 1 << 20): StatusReader {
  const bytes = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const reader = new StatusReader(limit);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  return reader;
}

describe('the output of git status', () => {
  const all = [
    `# branch.oid ${ID}`,
    '# branch.head a branch',
    '# branch.upstream origin/a branch',
    '# branch.ab +2 -3',
    changed('.M', 'a b'),
    renamed('new\nname', '? old'),
    torn('UU', 'torn'),
    changed('.M', 'sub', 'SC.U'),
    '? ä -> "x"',
  ];

  it('F1: is read with every name as it is, wherever it is cut into pieces', () => {
    const whole = read(all);
    expect(whole.entries.map(({ path, oldPath, xy }) => [String(path), oldPath && String(oldPath), xy])).toEqual([
      ['a b', null, '.M'],
      ['new\nname', '? old', 'R.'],
      ['torn', null, 'UU'],
      ['sub', null, '.M'],
      ['ä -> "x"', null, '??'],
    ]);
    expect(whole.entries[3]?.submodule).toBe('SC.U');
    for (let size = 1; size < 30; size++) {
      const pieces = read(all, 100, size);
      expect([pieces.entries, pieces.head, pieces.counts]).toEqual([whole.entries, whole.head, whole.counts]);
    }
  });

  it('counts all entries and keeps those up to the limit', () => {
    const { counts, hidden, entries } = read(all, 2);
    expect(counts).toEqual({ staged: 1, unstaged: 2, untracked: 1, conflicted: 1 });
    expect([entries.length, hidden]).toEqual([2, 3]);
  });

  it('counts what is staged, unstaged, untracked and in conflict, a file twice when it is both', () => {
    const fields = [changed('M.', 'a'), changed('MM', 'b'), changed('.D', 'c'), torn('UU', 'd'), '? e'];
    expect(read(fields).counts).toEqual({ staged: 2, unstaged: 2, untracked: 1, conflicted: 1 });
  });

  it('F1: is not led astray by the old name of a renamed file', () => {
    expect(read([renamed('new', '? old'), '? other']).counts).toEqual({
      staged: 1,
      unstaged: 0,
      untracked: 1,
      conflicted: 0,
    });
  });

  it('tells the branch and how far it is from its upstream, or that there is none', () => {
    expect(read(all).head).toEqual({
      branch: 'a branch',
      detached: false,
      head: ID,
      upstream: 'origin/a branch',
      ahead: 2,
      behind: 3,
    });
    const far = ['# branch.oid x', '# branch.head a', '# branch.upstream origin/a', '# branch.ab +2 -13'];
    expect(read(far).head).toMatchObject({ upstream: 'origin/a', ahead: 2, behind: 13 });
    expect(read([]).head).toMatchObject({ upstream: null, ahead: null, behind: null });
    expect(read(['# branch.oid (initial)', '# branch.head main']).head).toMatchObject({ branch: 'main', head: null });
    expect(read([`# branch.oid ${ID}`, '# branch.head (detached)']).head).toMatchObject({
      branch: null,
      detached: true,
      ahead: null,
    });
  });

  it('is refused where it is not in the form that is known', () => {
    expect(() => read(['x what'])).toThrow(expect.objectContaining({ code: 'git_command_failed' }));
    expect(() => read(['1 .M'])).toThrow(expect.objectContaining({ code: 'git_command_failed' }));
  });
});
