import { live } from './life.js';
import type { App, ProcessKit } from './types.js';

/**
 * Runs a process without the bus (keeper, broker) until SIGTERM or SIGINT. For `main.ts`.
 * A failed start and any unhandled fault end the process with code 70.
 */
export function runProcess(build: (kit: ProcessKit) => App | Promise<App>): Promise<void> {
  return live(async (kit, turn) => {
    await turn();
    return { app: await build(kit), close: async () => undefined };
  });
}
