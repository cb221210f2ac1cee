import { connectBus, DEFAULT_ADDRESS, type Log } from '@switchyard/bus';
import type { BusAddress } from '@switchyard/service/bus-file';
import type { YardHandlers } from './handlers/yard.js';

/**
 * Answers `yard.*` on the bus too, for clients of the gateway. Goes on in the background: the supervisor must work
 * without the bus, which is one of its own children.
 */
export function serveOnBus(address: BusAddress, handlers: YardHandlers, log: Log): { close(): Promise<void> } {
  const bus = connectBus({ ...address, service: 'supervisor', address: DEFAULT_ADDRESS, log });
  const served = bus.then((connected) => connected.serve('supervisor', DEFAULT_ADDRESS, handlers));
  served.catch((error: unknown) => log.error({ err: error }, 'not on the bus: yard.* is answered on our socket only'));
  let connected = false;
  bus.then(
    () => {
      connected = true;
    },
    () => undefined,
  );
  return {
    close: async () => {
      // Still connecting means that the broker is gone: nothing to take leave of.
      if (connected) await bus.then((open) => open.close());
    },
  };
}
