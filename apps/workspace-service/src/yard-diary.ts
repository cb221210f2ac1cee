import type { Bus } from '@switchyard/bus';
import type { BusEvent, JournalNote } from '@switchyard/protocol';
import { hostOf } from './hosts.js';
import type { Journal } from './journal.js';

const NOWHERE = { workspace_id: null, surface_id: null } as const;

/** Writes down what is heard of the processes of the yard. What is said twice is written once. */
export class YardDiary {
  readonly #bus: Pick<Bus, 'subscribe'>;
  readonly #journal: Journal;
  #ends: readonly (() => void)[] = [];

  constructor(bus: Pick<Bus, 'subscribe'>, journal: Journal) {
    this.#bus = bus;
    this.#journal = journal;
  }

  start(): void {
    this.#ends = [
      this.#bus.subscribe('service.ready', (run) => this.#ready(run)),
      this.#bus.subscribe('service.stopped', (run) => this.#stopped(run)),
    ];
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  /** A pty-host is ready when it follows its terminals, and it alone reaches those of its host. */
  #ready({ service, address, instance, version }: BusEvent<'service.ready'>): void {
    const ready: JournalNote = {
      kind: 'service.ready',
      ...NOWHERE,
      data: { service, address, instance, version },
    };
    const notes = [{ key: `ready ${instance}`, note: ready }];
    if (service !== 'pty-host') {
      this.#journal.append(notes);
      return;
    }
    const reached: JournalNote = { kind: 'host.ready', ...NOWHERE, data: { host: hostOf(address), address } };
    this.#journal.append([...notes, { key: `host ready ${instance}`, note: reached }]);
  }

  #stopped({ service, address, instance }: BusEvent<'service.stopped'>): void {
    const note: JournalNote = { kind: 'service.stopped', ...NOWHERE, data: { service, address, instance } };
    this.#journal.append([{ key: `stopped ${instance}`, note }]);
  }
}
