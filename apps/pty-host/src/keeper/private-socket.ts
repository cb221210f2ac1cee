import { chmodSync, lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';
import { systemCode } from './fault.js';

/** Long enough for a busy owner to accept; one that does not answer is there all the same. */
const PROBE_MS = 1000;
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_SOCKET = 0o600;
const OTHERS = 0o077;

/**
 * Listens on a unix socket for this user only, in a folder for this user only.
 * @throws Error when the folder is not ours alone, or the socket is occupied: then nothing is touched
 */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  checkFolder(dirname(path));
  if (await isOccupied(path)) throw new Error(`${path} is occupied: another keeper runs, or hangs`);
  // The mode must be right from the first moment. Binding happens within listen(), so nothing else sees this mask.
  const before = process.umask(OTHERS);
  try {
    const listening = new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', reject);
    });
    server.listen(path);
    process.umask(before);
    await listening;
  } finally {
    process.umask(before);
  }
  chmodSync(path, OWNER_ONLY_SOCKET);
}

function checkFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & OTHERS) !== 0) {
    throw new Error(`${folder} must be a folder of this user with mode 0700`);
  }
}

/** Removes a socket that nobody listens on. */
async function isOccupied(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isSocket()) return true;
  const refused = await probe(path);
  if (refused) unlinkSync(path);
  return !refused;
}

/** @returns true when the kernel says that nobody listens; an answer or silence mean that somebody does */
function probe(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (refused: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(refused);
    };
    const timer = setTimeout(() => settle(false), PROBE_MS);
    socket.on('connect', () => settle(false));
    socket.on('error', (error) => settle(systemCode(error) === 'ECONNREFUSED'));
  });
}
