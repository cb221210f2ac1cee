import { randomUUID } from 'node:crypto';
import type { Bus } from '@switchyard/bus';
import { fail, type Handlers } from '@switchyard/protocol';
import type { JournalReader } from '../events/journal-reader.js';
import type { OutputWatches } from '../events/output-watches.js';
import { MAX_QUEUED, PEER_CLASSES, type PeerClass, PeerSubscription } from '../events/peer-subscription.js';
import type { OwnCall } from '../own-call.js';

export interface PeerEventParts {
  readonly bus: Bus;
  readonly reader: JournalReader;
  readonly outputs: OutputWatches;
}

/** The peer's subscriptions (programa-api §7.3). */
export function subscribeHandlers(
  parts: PeerEventParts,
): Pick<Handlers<'gateway', OwnCall>, 'subscribe' | 'unsubscribe'> {
  const { bus, reader, outputs } = parts;
  return {
    subscribe: async ({ classes, surface_ids: named = [] }, call) => {
      const wanted = checkedClasses(classes);
      if (wanted.has('output') && named.length === 0) {
        return fail('invalid_params', 'output needs surface_ids', { path: 'surface_ids', reason: 'missing' });
      }
      const opened = await bus.call('journal.open', { surfaces: named }, { signal: call.gone });
      const id = randomUUID().toUpperCase();
      const { dialect, channel, subscriptions } = call;
      const subscription = new PeerSubscription({ id, classes: wanted, dialect, channel, reader, start: opened });
      if (wanted.has('output')) await listenTo(outputs, opened.surfaces, subscription);
      subscriptions.addPeer(subscription);
      call.onAnswered(() => subscriptions.start(subscription));
      const surface_ids = opened.surfaces.map(({ surface_id }) => surface_id);
      return { subscription_id: id, classes, surface_ids, max_queued_events: MAX_QUEUED };
    },
    unsubscribe: (_params, { subscriptions }) => {
      subscriptions.endPeer();
      return { unsubscribed: true };
    },
  };
}

function checkedClasses(classes: readonly string[]): ReadonlySet<PeerClass> {
  const known: readonly string[] = PEER_CLASSES;
  const stranger = classes.find((word) => !known.includes(word));
  if (stranger === undefined) return new Set(classes as PeerClass[]);
  return fail('invalid_params', `Unknown event class: ${stranger}`, {
    path: 'classes',
    supported_classes: PEER_CLASSES,
  });
}

/** What is there before the answer is the baseline, so everything printed after the answer is told. */
async function listenTo(
  outputs: OutputWatches,
  surfaces: readonly { surface_id: string; workspace_id: string | null; address: string | null }[],
  subscription: PeerSubscription,
): Promise<void> {
  const listening = surfaces.map(async ({ surface_id, workspace_id, address }) => {
    if (address === null) return;
    const listener = (text: string) => subscription.output(workspace_id, surface_id, text);
    subscription.endsWith(await outputs.listen(surface_id, address, listener));
  });
  try {
    await Promise.all(listening);
  } catch (error) {
    await Promise.allSettled(listening);
    subscription.close();
    throw error;
  }
}
