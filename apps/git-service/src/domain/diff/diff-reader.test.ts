import { describe, expect, it } from 'vitest';
import { DiffReader, type PatchedRecord } from './diff-reader.js';
import { readRawRecords } from './raw-records.js';

const OLD = 'a'.repeat(40);
const NEW = '0'.repeat(40);
const LIMIT = 1000;
const record = (status: string, ...paths: string[]) => [`:100644 100644 ${OLD} ${NEW} ${status}`, ...paths].join('\0');
const output = (records: string[], ...patch: string[]) =>
  Buffer.from(`${records.join('\0')}\0\0${patch.map((line) => `${line}\n`).join('')}`);
const header = (path: string) => [`diff --git a/${path} b/${path}`, `index ${OLD}..${OLD} 100644`, `--- a/${path}`];

function read(bytes: Buffer, pieceBytes = bytes.length): PatchedRecord[] {
  const reader = new DiffReader(LIMIT);
  const files: PatchedRecord[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) files.push(...reader.push(bytes.subarray(at, at + pieceBytes)));
  return [...files, ...reader.end()];
}
const told = (files: PatchedRecord[]) =>
  files.map(({ record: { path }, sections }) => [
    path.toString(),
    sections.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text))),
  ]);

describe('the output of git', () => {
  const two = output(
    [record('M', 'one'), record('R087', 'from', 'two')],
    ...header('one'),
    '+++ b/one',
    '@@ -1,2 +1,2 @@ function one() {',
    ' same',
    '-old',
    '+new',
    '\\ No newline at end of file',
    'diff --git a/from b/two',
    'similarity index 87%',
    '@@ -3 +3 @@',
    '-diff --git a/x b/x',
    '+@@ -1 +1 @@',
  );

  it('is read as records and their hunks, wherever it is cut into pieces', () => {
    const whole = read(two);
    expect(told(whole)).toEqual([
      ['one', ['same', 'old', 'new']],
      ['two', ['diff --git a/x b/x', '@@ -1 +1 @@']],
    ]);
    for (let size = 1; size < 40; size++) expect(read(two, size)).toEqual(whole);
  });

  it('tells line numbers, the heading, the kinds of lines and a missing final newline', () => {
    expect(read(two)[0]?.sections[0]).toMatchObject({ additions: 1, deletions: 1, isUtf8: true });
    expect(read(two)[0]?.sections[0]?.hunks).toEqual([
      {
        old_start: 1,
        old_lines: 2,
        new_start: 1,
        new_lines: 2,
        heading: 'function one() {',
        lines: [
          { kind: 'context', text: 'same' },
          { kind: 'removed', text: 'old' },
          { kind: 'added', text: 'new', no_newline: true },
        ],
      },
    ]);
  });

  it('F1: is matched by names as git quotes them', () => {
    const names = ['ä.txt', 'a b.txt', 'a -> b', 'q"uote\\', 'new\nline\tand\x01bell\x7f'];
    const quoted = ['ä.txt', 'a b.txt', 'a -> b', '"X/q\\"uote\\\\"', '"X/new\\nline\\tand\\001bell\\177"'];
    const lines = quoted.flatMap((name) => {
      const [a, b] = name.startsWith('"')
        ? [name.replace('X', 'a'), name.replace('X', 'b')]
        : [`a/${name}`, `b/${name}`];
      return [`diff --git ${a} ${b}`, '@@ -0,0 +1 @@', '+x'];
    });
    expect(
      told(
        read(
          output(
            names.map((name) => record('M', name)),
            ...lines,
          ),
        ),
      ),
    ).toEqual(names.map((name) => [name, ['x']]));
  });

  it('has no patch for files of which only the times have changed, wherever they stand', () => {
    const names = ['a', 'b', 'c', 'd'];
    const files = read(
      output(
        names.map((name) => record('M', name)),
        ...header('b'),
        '@@ -1 +1 @@',
        '-x',
        '+y',
      ),
    );
    expect(files.map(({ sections }) => sections.length)).toEqual([0, 1, 0, 0]);
  });

  it('has two patches for a change of type, and a remark for a conflict', () => {
    const files = read(
      output(
        [record('T', 'link'), record('U', 'torn'), record('M', 'torn')],
        ...header('link'),
        '@@ -1 +0,0 @@',
        '-text',
        ...header('link'),
        '@@ -0,0 +1 @@',
        '+/etc/passwd',
        '\\ No newline at end of file',
        '* Unmerged path torn',
        ...header('torn'),
        '@@ -1 +1 @@',
        '-x',
        '+y',
      ),
    );
    expect(files.map(({ index, sections }) => [index, sections.length])).toEqual([
      [0, 2],
      [1, 1],
      [2, 1],
    ]);
  });

  it('leaves out the hunks of a file that take more than the limit, and goes on with the next', () => {
    const long = output(
      [record('M', 'long'), record('M', 'many'), record('M', 'next')],
      ...header('long'),
      '@@ -0,0 +1 @@',
      `+${'x'.repeat(LIMIT * 3)}`,
      ...header('many'),
      '@@ -0,0 +1,100 @@',
      ...Array.from({ length: 100 }, () => '+x'),
      ...header('next'),
      '@@ -0,0 +1 @@',
      '+y',
    );
    const whole = read(long);
    expect(whole.map(({ sections }) => sections[0]?.isTooLarge)).toEqual([true, true, false]);
    expect(whole.map(({ sections }) => sections[0]?.hunks.length)).toEqual([0, 0, 1]);
    expect(whole.map(({ sections }) => sections[0]?.additions)).toEqual([1, 100, 1]);
    expect(read(long, 7)).toEqual(whole);
  });

  it('says of bytes that are not UTF-8 that they are none', () => {
    const latin = Buffer.from(`${record('M', 'a')}\0\0${header('a').join('\n')}\n@@ -0,0 +1 @@\n+caf\xe9\n`, 'latin1');
    expect(read(latin)[0]?.sections[0]).toMatchObject({ isUtf8: false, hunks: [{ lines: [{ text: 'caf\ufffd' }] }] });
  });

  it('is refused where it is not in the form that is known', () => {
    for (const wrong of [
      Buffer.from('M one\0\0'),
      Buffer.from(`:100644 100644 ${OLD} ${NEW} M\0`),
      output([record('M', 'one')], ...header('two')),
      output([record('M', 'one')], ...header('one'), '@@ -1 +1 @@', '-x'),
      output([record('M', 'one')], ...header('one'), '@@ -1 +1 @@', 'x'),
      output([record('M', 'one')], 'x'),
    ]) {
      expect(() => read(wrong), wrong.toString()).toThrow(expect.objectContaining({ code: 'git_command_failed' }));
    }
  });

  it('is nothing when nothing differs', () => {
    expect(read(Buffer.alloc(0))).toEqual([]);
    expect(readRawRecords(Buffer.alloc(0))).toEqual([]);
  });
});
