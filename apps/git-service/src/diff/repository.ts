import { isAbsolute } from 'node:path';
import { fail, SwitchyardError } from '@switchyard/protocol';
import { succeeded, tryGit } from '../adapters/git-cli.js';

/** A checkout, as far as a look at its changes needs it. */
export interface Repository {
  /** Top of the worktree, free of symbolic links; null: the repository is bare, or the folder is within its own. */
  readonly top: string | null;
  /** Folder of git's own files for this worktree. */
  readonly gitDir: string;
  /** Commit id; null on a branch that has no commit yet. */
  readonly head: string | null;
  /** Id of the tree without files, in the hash of this repository. */
  readonly emptyTree: string;
}

const EMPTY_TREES: Readonly<Record<string, string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};
/** git prints a flag that it does not know as it is: no path is mistaken for the end of another (bug case F1). */
const SEPARATOR = '--end-of-path';
/** What git says of a repository that a newer one has made: another format of refs, of objects. */
const UNKNOWN_FORMAT =
  /unknown repository extension|Expected git repo version|unknown object format|unknown ref storage/i;

/**
 * Looks at the repository that a folder is in.
 * @throws `not_a_git_repo`; `not_supported` when the installed git does not know its format; what `git` throws
 */
export async function repositoryOf(folder: string, signal: AbortSignal): Promise<Repository> {
  if (!isAbsolute(folder)) fail('invalid_params', 'The folder must be an absolute path.', { folder });
  try {
    const [facts, head] = await Promise.all([factsOf(folder, signal), commitOf(folder, 'HEAD', signal)]);
    return { ...facts, head };
  } catch (error) {
    throw unknownFormat(folder, error) ?? error;
  }
}

/** The commit that a name means here; null: it means none. @param name a branch, a tag, an id: never taken for an option */
export async function commitOf(folder: string, name: string, signal: AbortSignal): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { exitCode, stdout } = await tryGit(folder, args, { signal });
  return exitCode === 0 ? stdout.toString('latin1').trim() : null;
}

async function factsOf(folder: string, signal: AbortSignal): Promise<Omit<Repository, 'head'>> {
  const asked = ['--is-inside-work-tree', '--show-object-format', '--absolute-git-dir', '--show-toplevel'];
  const args = ['rev-parse', ...asked.flatMap((flag) => [flag, SEPARATOR])];
  const run = await tryGit(folder, args, { signal });
  const [inside = '', format = '', gitDir = '', top] = run.stdout.toString('utf8').split(`\n${SEPARATOR}\n`);
  // Asked for the top where there is none git fails, having answered the rest.
  if (inside !== 'false') succeeded(folder, args, run);
  const emptyTree = EMPTY_TREES[format] ?? fail('not_supported', `Objects of git named by ${format} are not known.`);
  return { top: inside === 'true' && top !== undefined ? top : null, gitDir, emptyTree };
}

function unknownFormat(folder: string, error: unknown): SwitchyardError | null {
  if (!(error instanceof SwitchyardError) || error.code !== 'git_command_failed') return null;
  const said = String(error.data?.['stderr'] ?? '');
  if (!UNKNOWN_FORMAT.test(said)) return null;
  const message = 'The installed git is too old for the format of this repository.';
  return new SwitchyardError('not_supported', message, { repo: folder, stderr: said }, { cause: error });
}
