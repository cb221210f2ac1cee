import { once } from 'node:events';
import { onStopSignal } from './stop-signal.js';
import { openYard } from './yard.js';
import type { YardOptions } from './yard-options.js';

/** What a supervisor in the background tells the command that started it. */
export type DetachedReport =
  | { readonly ok: true; readonly pid: number; readonly late: readonly string[] }
  | { readonly ok: false; readonly error: string; readonly running?: number };

/** A fault of ours: `EX_SOFTWARE`, as in every process of the yard. */
const EXIT_FAULT = 70;

/**
 * Runs a supervisor in the background. Its options come as a message, not as arguments: a broker URL may hold a
 * password, and arguments can be read by every user of the machine.
 */
export async function runDetached(): Promise<never> {
  if (process.send === undefined) throw new Error('this program is started by `switchyard up --detach`');
  const [options] = (await once(process, 'message')) as [YardOptions];
  try {
    const { supervisor } = openYard(options, process.env);
    onStopSignal(() => void supervisor.stop());
    await report({ ok: true, pid: process.pid, late: await supervisor.start() });
    await supervisor.stopped;
    process.exit(0);
  } catch (error) {
    const running = error instanceof Error && 'pid' in error ? { running: Number(error.pid) } : {};
    await report({ ok: false, error: error instanceof Error ? error.message : String(error), ...running });
    process.exit(EXIT_FAULT);
  }
}

/** The command may be gone already: then nobody wants to know. */
function report(what: DetachedReport): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || process.send === undefined) return resolve();
    process.send(what, undefined, undefined, () => {
      if (process.connected) process.disconnect();
      resolve();
    });
  });
}
