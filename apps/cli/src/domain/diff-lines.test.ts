import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.js';

type File = Parameters<typeof diffLines>[0][number];
const file = (more: Partial<File>): File => ({
  path: 'a.txt',
  old_path: null,
  status: 'modified',
  kind: 'text',
  untracked: false,
  old_mode: '100644',
  new_mode: '100644',
  similarity: null,
  additions: null,
  deletions: null,
  hunks: [],
  ...more,
});
const lines = (more: Partial<File>) => diffLines([file(more)], (_, text) => text);

describe('a diff for a reader', () => {
  it('has a heading with names and counts, and the lines with their signs', () => {
    expect(
      lines({
        status: 'renamed',
        old_path: 'b.txt',
        additions: 1,
        deletions: 1,
        hunks: [
          {
            old_start: 1,
            old_lines: 2,
            new_start: 1,
            new_lines: 2,
            heading: 'main()',
            lines: [
              { kind: 'context', text: 'same' },
              { kind: 'removed', text: 'old' },
              { kind: 'added', text: 'new', no_newline: true },
            ],
          },
        ],
      }),
    ).toEqual([
      'renamed: b.txt → a.txt  +1 -1',
      '@@ -1,2 +1,2 @@ main()',
      ' same',
      '-old',
      '+new',
      '\\ no newline at the end',
    ]);
  });

  it('has an empty line between two files', () => {
    expect(diffLines([file({}), file({ path: 'b.txt' })], (_, text) => text)).toEqual([
      'modified: a.txt',
      '',
      'modified: b.txt',
    ]);
  });

  it('says why there are no lines', () => {
    expect(lines({ kind: 'withheld' })[1]).toMatch(/withheld/);
    expect(lines({ kind: 'symlink', symlink: { old_target: 'x', new_target: '/etc/passwd' } })).toContain(
      '  x → /etc/passwd',
    );
    expect(lines({ old_mode: '100644', new_mode: '100755' })).toEqual(['modified: a.txt', '  mode 100644 → 100755']);
    const submodule = { old_commit: 'a'.repeat(40), new_commit: 'b'.repeat(40), dirty: true };
    expect(lines({ kind: 'submodule', submodule })).toContain('  aaaaaaaaaaaa → bbbbbbbbbbbb');
  });

  it('shows control characters, and does not hand them to the terminal', () => {
    const hunk = { old_start: 0, old_lines: 0, new_start: 1, new_lines: 1, heading: '' };
    const text = 'a\x1b]0;title\x07b\tc\u202ed\r';
    const [, , line] = lines({ hunks: [{ ...hunk, lines: [{ kind: 'added', text }] }] });
    expect(line).toBe('+a^[]0;title^Gb\tcd^M');
    expect(lines({ path: 'x\x1b[31m\ny' })[0]).toBe('modified: x y');
  });
});
