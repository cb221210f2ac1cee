import { gitStream } from '../adapters/git-cli.js';
import { readInTree } from '../adapters/tree-files.js';
import type { ChangedFile } from '../domain/diff/changed-file.js';
import { isSecretPath } from '../domain/diff/secret-paths.js';
import { untrackedFile } from '../domain/diff/untracked-file.js';
import { DIFF_ENV, FILE_LIMIT_BYTES } from './git-diff.js';
import type { ChangesQuestion } from './question.js';

const SLASH = 0x2f;

export interface Untracked {
  /** By path; one that ends with `/` is a repository of its own. */
  readonly paths: readonly Buffer[];
  /** How many there are beyond the limit. */
  readonly omitted: number;
}

/** The files that git neither knows nor is told to ignore, up to a limit; the rest is counted. */
export async function listUntracked(
  top: string,
  { paths: only = [] }: ChangesQuestion,
  limit: number,
  signal: AbortSignal,
): Promise<Untracked> {
  const paths: Buffer[] = [];
  let omitted = 0;
  let rest = Buffer.alloc(0);
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...only];
  await gitStream(top, args, { signal, env: DIFF_ENV }, (piece) => {
    const data = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
      if (paths.length < limit) paths.push(Buffer.from(data.subarray(from, end)));
      else omitted++;
      from = end + 1;
    }
    rest = Buffer.from(data.subarray(from));
    return true;
  });
  return { paths, omitted };
}

/**
 * Reads a file that git does not know. A secret is not looked at.
 *
 * @param mark what was seen at its place before
 * @returns null when something else is there now
 */
export async function readUntracked(top: string, path: Buffer, mark: string): Promise<ChangedFile | null> {
  if (path.at(-1) === SLASH) return untrackedFile(path.subarray(0, -1), { type: 'repository' }, FILE_LIMIT_BYTES);
  if (isSecretPath(path)) return untrackedFile(path, null, FILE_LIMIT_BYTES);
  const at = await readInTree(top, path, FILE_LIMIT_BYTES);
  return at === null || at.mark !== mark ? null : untrackedFile(path, at.found, FILE_LIMIT_BYTES);
}
