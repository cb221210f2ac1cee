import type { Served } from '@switchyard/bus';
import type { App, ServiceKit } from '@switchyard/service';
import { storageGauges } from '@switchyard/store/sqlite';
import { notifierConfig } from './config.js';
import { adaptersOf } from './delivery/adapters.js';
import { Courier } from './delivery/courier.js';
import { Desk } from './desk.js';
import { notificationHandlers } from './handlers/notification.js';
import { JournalWriter } from './journal-writer.js';
import { AgentWatch } from './sources/agent-watch.js';
import { watchModel } from './sources/model-watch.js';
import { TerminalSignals } from './sources/terminal-signals.js';
import { openNotifierDatabase } from './store/database.js';

/** Owns the notifications, their read marks, and their way to people. State in `<stateDir>/notifier.db`. */
export function build({ bus, env, log }: ServiceKit): App {
  /** What ends what was begun, in the order in which it was begun. */
  const ends: (() => void | Promise<void>)[] = [];
  let served: Served | undefined;
  return {
    start: async () => {
      const config = notifierConfig(env);
      const db = openNotifierDatabase(config.database, (event) => {
        log.error(event, 'the notifications could not be read: set aside, begun anew');
      });
      ends.push(() => db.close());
      const adapters = adaptersOf(config);
      const wake = () => {
        for (const courier of couriers) courier.wake();
        writer.wake();
      };
      const { yard, level } = config;
      const names = adapters.map(({ name }) => name);
      const desk = new Desk({ db, yard, level, adapters: names, now: Date.now, onWork: wake });
      const writer = new JournalWriter(bus, desk.untold, log);
      ends.push(() => writer.stop());
      const couriers = adapters.map((adapter) => new Courier(adapter, desk, log));
      for (const courier of couriers) ends.push(() => courier.stop());
      desk.dropOrphans();
      const agents = new AgentWatch(bus, desk, log);
      ends.push(() => agents.stop());
      const onAgent = () => agents.wake();
      const signals = new TerminalSignals({ bus, desk, clipboard: config.clipboard, log, onAgent });
      ends.push(watchModel(bus, desk, log));
      served = await bus.serve('notifier', env.address, notificationHandlers({ bus, desk, signals, yard }), () =>
        storageGauges(db),
      );
      agents.start();
      wake();
    },
    stop: async () => {
      await served?.stop();
      for (const end of ends.reverse()) await end();
    },
  };
}
