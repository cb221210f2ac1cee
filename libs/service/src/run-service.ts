import type { App, ServiceKit } from './types.js';

/** Runs a service on the bus until SIGTERM or SIGINT. For `main.ts`; never throws. */
export function runService(build: (kit: ServiceKit) => App | Promise<App>): Promise<void> {
  return Promise.reject(new Error(`not started: ${build.name}`));
}
