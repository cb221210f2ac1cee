import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Size of sun_path less its closing NUL: Linux 108, macOS and the BSDs 104. Longer paths are silently cut by some systems. */
const PATH_LIMIT = process.platform === 'linux' ? 107 : 103;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Fails where the operating system would cut the path or fail without saying why.
 *
 * @throws Error that names the limit
 */
export function checkSocketPath(path: string): void {
  const length = Buffer.byteLength(path);
  if (length <= PATH_LIMIT) return;
  throw new Error(
    `the socket path is ${length} bytes long and this system allows ${PATH_LIMIT}: ${path}\n` +
      'Name a shorter one with --socket or SWITCHYARD_RUNTIME_DIR.',
  );
}

/**
 * Makes sure that nobody but this user can put another socket in the place of ours. A missing folder is made, 0700.
 *
 * @param path of the socket
 * @param uid who must own the folder
 * @param rule `private`: the yard's own runtime folder, 0700 and ours. `shared`: a folder the user chose (`--socket`):
 *   ours or root's, and if others may write in it, then sticky like /tmp
 * @throws Error that says what is wrong and how to mend it
 */
export function prepareSocketFolder(path: string, uid: number, rule: 'private' | 'shared'): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const problem = rule === 'private' ? privateProblem(lstatSync(folder), uid) : sharedProblem(statSync(folder), uid);
  if (problem) throw new Error(`refusing to put the socket in ${folder}: ${problem}`);
}

function privateProblem(stats: Stats, uid: number): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link';
  if (!stats.isDirectory()) return 'it is not a folder';
  if (stats.uid !== uid) return `it belongs to uid ${stats.uid}, not to ${uid}`;
  if (stats.mode & OTHERS) return `its mode is ${octal(stats)}; make it private with chmod 700`;
  return undefined;
}

function sharedProblem(stats: Stats, uid: number): string | undefined {
  if (!stats.isDirectory()) return 'it is not a folder';
  if (stats.uid !== uid && stats.uid !== 0) return `it belongs to uid ${stats.uid}, neither to ${uid} nor to root`;
  if (stats.mode & OTHERS_WRITE && !(stats.mode & STICKY)) {
    return `others may replace files in it (mode ${octal(stats)}); use chmod go-w, or another folder`;
  }
  return undefined;
}

const octal = (stats: Stats): string => (stats.mode & 0o7777).toString(8);
