import { fail } from '@switchyard/protocol';
import { gitStream } from '../adapters/git-cli.js';
import { DiffReader, type PatchedRecord } from '../domain/diff/diff-reader.js';
import { type ChangeRecord, RawRecordReader } from '../domain/diff/raw-records.js';
import type { Comparison } from './comparison.js';
import type { ChangesQuestion } from './question.js';

/** A file beyond this, on either side or in its hunks, is named and not shown. */
export const FILE_LIMIT_BYTES = 1024 * 1024;
/** git's own bound for files among which it looks for what was renamed, said here because users can set another. */
const RENAME_LIMIT = 1000;
const DEFAULT_CONTEXT_LINES = 3;
/** Beyond so many nobody reads a diff; each takes memory here, and a look at its file for every page. */
const RECORDS_LIMIT = 100_000;

/** Whatever the settings of the user and the attributes of the repository say, the form is this one, and no program runs. */
const FORM = [
  '--no-abbrev',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--submodule=short',
  '--find-renames',
  `-l${RENAME_LIMIT}`,
  '-z',
];
const PATCH_FORM = ['--patch', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '--inter-hunk-context=0'];

/** Settings that have no option. A file over the limit is not read at all, but called binary. */
const SETTINGS = {
  'core.quotePath': 'false',
  'core.bigFileThreshold': String(FILE_LIMIT_BYTES),
  'diff.suppressBlankEmpty': 'false',
};

/** Environment of every git that answers a question about changes. Paths are names, not patterns. */
export const DIFF_ENV: Readonly<Record<string, string>> = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_CONFIG_COUNT: String(Object.keys(SETTINGS).length),
  ...Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

/**
 * Lists what differs, without a look at how: files of which only the times have changed are listed as well.
 *
 * @throws `too_many_changes`
 */
export async function listDifferences(
  { top, command }: Comparison,
  { paths = [] }: ChangesQuestion,
  signal: AbortSignal,
): Promise<readonly ChangeRecord[]> {
  const reader = new RawRecordReader();
  const args = [...command, '--raw', ...FORM, '--', ...paths];
  await gitStream(top, args, { signal, env: DIFF_ENV }, (piece) => {
    reader.push(piece);
    return checkCount(reader.records);
  });
  reader.end();
  return reader.records;
}

/**
 * Lists what differs, and how, file by file until it is enough.
 *
 * @param from path of the first file that is wanted; git leaves out what comes before it
 * @param onFile returns whether it wants more
 * @returns all records from there on
 * @throws `too_many_changes`
 */
export async function readDifferences(
  { top, command }: Comparison,
  { paths = [], contextLines = DEFAULT_CONTEXT_LINES }: ChangesQuestion,
  from: string | null,
  signal: AbortSignal,
  onFile: (file: PatchedRecord, records: readonly ChangeRecord[]) => boolean,
): Promise<readonly ChangeRecord[]> {
  const reader = new DiffReader(FILE_LIMIT_BYTES);
  let isEnough = false;
  const pass = (files: readonly PatchedRecord[]) => {
    isEnough ||= files.some((file) => !onFile(file, reader.records));
    return !isEnough;
  };
  const skip = from === null ? [] : [`--skip-to=${from}`];
  const args = [...command, '--raw', ...PATCH_FORM, `--unified=${contextLines}`, ...FORM, ...skip, '--', ...paths];
  await gitStream(top, args, { signal, env: DIFF_ENV }, (piece) => {
    const files = reader.push(piece);
    return checkCount(reader.records) && pass(files);
  });
  if (!isEnough) pass(reader.end());
  return reader.records;
}

function checkCount(records: readonly ChangeRecord[]): true {
  if (records.length <= RECORDS_LIMIT) return true;
  return fail('too_many_changes', `More than ${RECORDS_LIMIT} files differ; ask for some paths.`, {
    limit: RECORDS_LIMIT,
  });
}
