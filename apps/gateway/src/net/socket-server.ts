import { linkSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { checkSocketPath, prepareSocketFolder } from './socket-folder.js';
import { type FileIdentity, identityOf, isSameFile, occupied, removeStaleSocket } from './stale-socket.js';

/** Clients that connect in one burst wait here instead of being refused; the system may allow less. */
const ACCEPT_QUEUE = 1024;
/** Everything but reading and writing by the owner is masked from the new socket: 0600. */
const PRIVATE_UMASK = 0o177;

export interface SocketServerOptions {
  /** Where clients connect. */
  readonly path: string;
  /** See {@link prepareSocketFolder}. */
  readonly folder: 'private' | 'shared';
  /** Who owns folder and socket. */
  readonly uid: number;
  /** Gets every connection; its write side stays open when the client ends its own. */
  readonly accept: (socket: Socket) => void;
  /** Told of failures after the start, e.g. too many open files; the server goes on. */
  readonly onError: (error: Error) => void;
}

/** A listening unix socket, mode 0600. */
export interface SocketServer {
  /** Stops accepting and removes the socket file, if it is still ours. Open connections are the caller's. */
  close(): void;
}

/**
 * Listens at a path that is free or whose socket is proven stale.
 *
 * The socket is bound under a temporary name and appears at its path with one `link`, which fails if anything is
 * there: two servers that start at once cannot take the path from each other, and a client never finds a socket
 * without a listener. It also keeps libuv, which removes the name it bound whoever owns it by then, away from the path.
 *
 * @throws Error with a message for the user: path too long, folder unsafe, path occupied
 */
export async function listenAt(options: SocketServerOptions): Promise<SocketServer> {
  const { path, uid } = options;
  const temporary = join(dirname(path), `.${process.pid}.sock`);
  checkSocketPath(path);
  checkSocketPath(temporary);
  prepareSocketFolder(path, uid, options.folder);
  await removeStaleSocket(path, uid);
  await removeStaleSocket(temporary, uid);

  const server = createServer({ allowHalfOpen: true }, options.accept);
  await bindPrivately(server, temporary);
  server.on('error', options.onError);
  const own = publish(server, temporary, path);
  return {
    close: () => {
      server.close();
      const present = identityOf(path);
      if (present && isSameFile(present, own)) unlinkSync(path);
    },
  };
}

function bindPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    // Node binds within this call, so that no other file of this process gets the mask.
    const before = process.umask(PRIVATE_UMASK);
    try {
      server.listen({ path, backlog: ACCEPT_QUEUE });
    } finally {
      process.umask(before);
    }
  });
}

function publish(server: Server, temporary: string, path: string): FileIdentity {
  try {
    linkSync(temporary, path);
  } catch (error) {
    server.close();
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw occupied(path, 'another process has just begun to listen there');
    }
    throw error;
  }
  unlinkSync(temporary);
  const own = identityOf(path);
  if (!own) throw new Error(`the socket ${path} was removed while it was being set up`);
  return own;
}
