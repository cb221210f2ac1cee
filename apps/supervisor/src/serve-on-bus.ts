import { type Bus, connectBus, DEFAULT_ADDRESS, type Log } from '@switchyard/bus';
import { EventWriter, type ToldEvent } from '@switchyard/service';
import type { BusAddress } from '@switchyard/service/bus-file';
import type { SupervisorHandlers } from './handlers/yard.js';

/** The supervisor's place on the bus. */
export interface YardBus {
  /** undefined until it is connected for the first time. */
  readonly bus: Bus | undefined;
  /** Hands an event to the journal, as soon as that can be reached. */
  tell(event: ToldEvent): void;
  /** Events that the journal has not taken yet. */
  readonly eventsWaiting: number;
  close(): Promise<void>;
}

/**
 * Answers our methods on the bus too, for clients of the gateway, and tells the journal what happens to processes. Goes
 * on in the background: the supervisor must work without the bus, which is one of its own children.
 */
export function serveOnBus(address: BusAddress, handlers: SupervisorHandlers, log: Log): YardBus {
  const leaving = new AbortController();
  const options = { ...address, service: 'supervisor', address: DEFAULT_ADDRESS, log, signal: leaving.signal } as const;
  const connecting = connectBus(options);
  const served = connecting.then((bus) => bus.serve('supervisor', DEFAULT_ADDRESS, handlers));
  served.catch((error: unknown) => {
    if (!leaving.signal.aborted) log.error({ err: error }, 'not on the bus: our socket answers all the same');
  });
  const writer = new EventWriter(whenConnected(connecting), log);
  let bus: Bus | undefined;
  connecting.then(
    (connected) => {
      bus = connected;
    },
    () => undefined, // said above
  );
  return {
    get bus() {
      return bus;
    },
    get eventsWaiting() {
      return writer.waiting;
    },
    tell: (event) => writer.tell(event),
    close: async () => {
      // Still connecting means that the broker is gone: nothing to take leave of, and nobody to tell.
      leaving.abort();
      await writer.stop();
      await bus?.close();
    },
  };
}

/** A bus whose calls wait until it is there. */
function whenConnected(connecting: Promise<Bus>): Pick<Bus, 'call' | 'subscribe'> {
  return {
    call: async (method, params, options) => (await connecting).call(method, params, options),
    subscribe: (event, fn) => {
      let end: (() => void) | undefined;
      let ended = false;
      connecting.then(
        (bus) => {
          if (!ended) end = bus.subscribe(event, fn);
        },
        () => undefined, // never connected: nothing was heard
      );
      return () => {
        ended = true;
        end?.();
      };
    },
  };
}
