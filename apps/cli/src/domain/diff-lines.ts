import type { Result } from '@switchyard/protocol';
import { cleanLines, cleanText } from './clean-text.js';

type ChangedFile = Result<'workspace.git.diff'>['files'][number];
type Hunk = ChangedFile['hunks'][number];
type Line = Hunk['lines'][number];
type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
export type Paint = (colour: Colour, text: string) => string;

const SIGNS = { added: '+', removed: '-', context: ' ' } as const;
const COLOURS = { added: 'green', removed: 'red' } as const;
const KINDS: Readonly<Partial<Record<ChangedFile['kind'], string>>> = {
  binary: 'binary',
  too_large: 'too large to show',
  withheld: 'withheld: the name says that it holds secrets',
  symlink: 'symbolic link',
  submodule: 'submodule',
  typechange: 'became something else',
};
/** A path is shown whole, as far as it makes sense to a reader. */
const LONGEST_PATH = 1000;
/** What is shown of a commit id. */
const COMMIT_CHARS = 12;

/** Changed files as a reader expects a diff. Contents are made safe to show: control characters as `^X`. */
export function diffLines(files: readonly ChangedFile[], paint: Paint): string[] {
  return files.flatMap((file, index) => [
    ...(index === 0 ? [] : ['']),
    paint('bold', headingOf(file)),
    ...remarksOf(file).map((remark) => paint('yellow', remark)),
    ...file.hunks.flatMap((hunk) => hunkLines(hunk, paint)),
  ]);
}

function headingOf({ status, path, old_path, untracked, additions, deletions }: ChangedFile): string {
  const name = (text: string) => cleanText(text, LONGEST_PATH);
  const names = old_path === null ? name(path) : `${name(old_path)} → ${name(path)}`;
  const counts = additions === null ? '' : `  +${additions} -${deletions ?? 0}`;
  return `${untracked ? 'untracked' : status.replace('_', ' ')}: ${names}${counts}`;
}

function remarksOf(file: ChangedFile): string[] {
  const { kind, old_mode, new_mode, symlink, submodule } = file;
  const said = KINDS[kind] === undefined ? [] : [KINDS[kind]];
  if (symlink) said.push(change(symlink.old_target, symlink.new_target));
  if (submodule) said.push(change(submodule.old_commit, submodule.new_commit, COMMIT_CHARS));
  if (submodule?.dirty) said.push('with changes of its own');
  if (old_mode !== null && new_mode !== null && old_mode !== new_mode) said.push(`mode ${old_mode} → ${new_mode}`);
  if (file.not_utf8) said.push('not UTF-8: some of it is shown as \ufffd');
  return said.map((text) => `  ${text}`);
}

function change(before: string | null, after: string | null, chars = LONGEST_PATH): string {
  const sides = [before, after].filter((side) => side !== null);
  return [...new Set(sides)].map((side) => cleanText(side, LONGEST_PATH).slice(0, chars)).join(' → ');
}

function hunkLines({ old_start, old_lines, new_start, new_lines, heading, lines }: Hunk, paint: Paint): string[] {
  const where = `@@ -${old_start},${old_lines} +${new_start},${new_lines} @@`;
  return [
    paint('dim', heading === '' ? where : `${where} ${visible(heading)}`),
    ...lines.flatMap((line) => shown(line, paint)),
  ];
}

function shown({ kind, text, no_newline }: Line, paint: Paint): string[] {
  const line = `${SIGNS[kind]}${visible(text)}`;
  const coloured = kind === 'context' ? line : paint(COLOURS[kind], line);
  return no_newline ? [coloured, paint('dim', '\\ no newline at the end')] : [coloured];
}

/** A carriage return or an escape sequence in a file is something to see, and nothing to do. */
function visible(text: string): string {
  const carets = text.replace(
    /[\x00-\x08\x0a-\x1f\x7f]/g,
    (character) => `^${String.fromCharCode(character.charCodeAt(0) ^ 0x40)}`,
  );
  return cleanLines(carets);
}
