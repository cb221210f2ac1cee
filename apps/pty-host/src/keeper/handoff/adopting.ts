import { closeSync } from 'node:fs';
import type { Server } from 'node:net';
import { adoptMaster } from '../native-pty.js';
import type { PtySource } from '../pty-process.js';
import type { Registry } from '../registry.js';
import type { Inheritance } from './inheritance.js';
import type { HandedProgram } from './record.js';

/**
 * Takes over everything an earlier keeper of this process had. Until the end nothing is read, typed or waited for, so
 * that the earlier one can come back as if nothing had been.
 * @throws Error, on which this process must end: the earlier program is then put back
 */
export async function adoptAll({ record, bequest }: Inheritance, registry: Registry, server: Server): Promise<void> {
  const { ChildReaper, commitHandoff, setCloseOnExec } = await import('@switchyard/service/exec');
  const reaper = new ChildReaper();
  const sourceOf =
    ({ pid, tty, master, slave }: HandedProgram): PtySource =>
    (onEnd) => {
      for (const fd of [master, slave]) setCloseOnExec(fd, true);
      adoptMaster(master);
      reaper.watch(pid, ({ code, signal }) => {
        onEnd(code === null && signal === null ? null : { code: code ?? 0, signal: signal ?? 0 });
      });
      return { pid, tty, master, slave };
    };
  registry.adopt(record, sourceOf);
  await listening(server, bequest.socket);
  commitHandoff();
  closeSync(bequest.record);
  registry.resume();
  reaper.start();
}

function listening(server: Server, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
    server.listen({ fd });
  });
}
