import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';

export interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Answers each request on `socket` as it likes. */
export type Answer = (request: Request, socket: Socket) => void;

export interface FakeServer {
  readonly path: string;
  readonly requests: Request[];
  readonly sockets: Set<Socket>;
  /** Closes every connection and the listener, as a crash does. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A server that speaks lines, for tests of what clients make of its answers. */
export async function fakeServer(answer: Answer): Promise<FakeServer> {
  const dir = tempDir('sy-client');
  const path = join(dir.path, 's.sock');
  const requests: Request[] = [];
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const accept = (socket: Socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const request = JSON.parse(line) as Request;
        requests.push(request);
        answer(request, socket);
      }
    });
  };
  const start = async () => {
    server = createServer(accept).listen(path);
    await once(server, 'listening');
  };
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    server?.close();
    if (server) await once(server, 'close');
    server = undefined;
  };
  await start();
  const remove = async () => {
    await stop();
    dir.remove();
  };
  return { path, requests, sockets, start, stop, remove };
}

export function reply(socket: Socket, frame: object): void {
  socket.write(`${JSON.stringify(frame)}\n`);
}
