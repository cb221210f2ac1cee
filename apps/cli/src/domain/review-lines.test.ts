import { describe, expect, it } from 'vitest';
import { type Comment, fileLines, type ReviewFile, strayLines } from './review-lines.js';

const plain = (_: string, text: string) => text;
const file: ReviewFile = {
  path: 'src/a.ts',
  old_path: null,
  status: 'modified',
  kind: 'text',
  diffable: true,
  untracked: false,
  old_mode: '100644',
  new_mode: '100755',
  similarity: null,
  additions: 1,
  deletions: 1,
  hunks: [
    {
      old_start: 9,
      old_lines: 2,
      new_start: 9,
      new_lines: 2,
      heading: 'main()',
      lines: [
        { kind: 'context', text: '\tkept' },
        { kind: 'removed', text: 'old' },
        { kind: 'added', text: 'new\x1b[31m', no_newline: true },
      ],
    },
  ],
};
const comment = (more: Partial<Comment>): Comment => ({
  id: '0123ABCD-0000-4000-8000-000000000000',
  file_path: 'src/a.ts',
  start_line: 10,
  end_line: 10,
  text: 'why?\nreally',
  created_at: 0,
  is_stale: false,
  is_changed: false,
  excerpt: '',
  ...more,
});

describe('a file of a review', () => {
  it('has its lines with the numbers of both sides, and comments under the last of theirs', () => {
    expect(fileLines(file, [comment({})], plain)).toEqual([
      'M src/a.ts 100644 → 100755 +1 -1',
      '@@ -9,2 +9,2 @@ main()',
      ' 9  9  \tkept',
      '10    -old',
      '   10 +new  (no line end)',
      '      ▸ 10 0123abcd: why? / really',
    ]);
  });

  it('has comments that are on none of the lines shown at its end, with what became of them', () => {
    const comments = [comment({ start_line: 1, end_line: 3, is_changed: true }), comment({ is_stale: true })];
    expect(fileLines(file, comments, plain).slice(5)).toEqual([
      '  ▸ 1-3 0123abcd (changed): why? / really',
      '  ▸ 10 0123abcd (stale): why? / really',
    ]);
  });

  it('says why its lines are not shown', () => {
    const secret: ReviewFile = { ...file, path: '.env', kind: 'withheld', diffable: false, untracked: true, hunks: [] };
    expect(fileLines({ ...secret, old_mode: null }, [], plain)).toEqual(['? .env (withheld: it may hold secrets)']);
    const moved: ReviewFile = { ...file, status: 'renamed', old_path: 'b\x1b[2J.ts', old_mode: '100755', hunks: [] };
    expect(fileLines(moved, [], plain)).toEqual(['R b.ts → src/a.ts +1 -1']);
  });

  it('that is not shown leaves its comments to the end of the review', () => {
    expect(strayLines([file], [comment({}), comment({ file_path: 'other.ts' })], plain)).toEqual([
      'other.ts ▸ 10 0123abcd: why? / really',
    ]);
  });
});
