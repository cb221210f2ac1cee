import { connectBus } from '@switchyard/bus';
import { SERVICES, type ServiceName } from '@switchyard/protocol';
import { readBusFile } from './bus-file.js';
import { live } from './life.js';
import type { App, ServiceKit } from './types.js';

/**
 * Runs a service on the bus until SIGTERM or SIGINT: connects (as long as it takes), builds, starts, reports ready;
 * then stops the app, closes the bus and exits with 0. For `main.ts`.
 * A failed start and any unhandled fault end the process with code 70.
 */
export function runService(build: (kit: ServiceKit) => App | Promise<App>): Promise<void> {
  return live(async ({ env, log }, turn) => {
    const address = await readBusFile(env.paths.busFile);
    const bus = await connectBus({
      ...address,
      ...(env.alone?.url !== undefined && { url: env.alone.url }),
      service: serviceName(env.service),
      host: env.host,
      address: env.address,
      log: log.child({ part: 'bus' }),
      restartGraceMs: env.settings.gateway.restart_grace_ms,
    });
    await turn();
    return { app: await build({ env, log, bus }), close: () => bus.close() };
  });
}

function serviceName(name: string): ServiceName {
  const known = SERVICES.find((service) => service === name);
  if (known === undefined) throw new Error(`${name} is not a service of the bus`);
  return known;
}
