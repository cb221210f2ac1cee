import type { App, ProcessKit } from './types.js';

/** Runs a process without the bus (keeper, broker) until SIGTERM or SIGINT. For `main.ts`; never throws. */
export function runProcess(build: (kit: ProcessKit) => App | Promise<App>): Promise<void> {
  return Promise.reject(new Error(`not started: ${build.name}`));
}
