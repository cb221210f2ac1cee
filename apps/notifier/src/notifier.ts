import { join } from 'node:path';
import type { Served } from '@switchyard/bus';
import type { App, ServiceKit } from '@switchyard/service';
import { watchModel } from './adapters/model-watch.js';
import { NotificationStore } from './adapters/notification-store.js';
import { notificationHandlers } from './handlers/notification.js';

/** Owns the notifications and their read marks. */
export function build({ bus, env, log }: ServiceKit): App {
  const opened: (() => void)[] = [];
  let served: Served | undefined;
  return {
    start: async () => {
      const store = new NotificationStore(join(env.paths.stateDir, 'notifier.db'), (event) => {
        log.error(event, 'the notifications could not be read: set aside, begun anew');
      });
      opened.push(() => store.close());
      opened.push(watchModel(bus, store, log));
      served = await bus.serve('notifier', env.address, notificationHandlers(bus, store));
    },
    stop: async () => {
      await served?.stop();
      for (const close of opened.reverse()) close();
    },
  };
}
