import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface DeafListener {
  stop(): Promise<void>;
}

/** A process that listens on a socket but is stopped, and whose queue of connections is full. */
export async function startDeafListener(path: string): Promise<DeafListener> {
  const script = `require('net').createServer().listen({path:${JSON.stringify(path)},backlog:1},()=>console.log(1))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const waiting = await fillQueue(path);
  return {
    stop: async () => {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Connects until the system says that the queue is full. */
async function fillQueue(path: string): Promise<Socket[]> {
  const waiting: Socket[] = [];
  for (;;) {
    const socket = connect(path);
    const isIn = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (!isIn) return waiting;
    waiting.push(socket);
  }
}
