import { brokerUrls } from '@switchyard/bus/broker-url';
import type { BrokerKind } from './process-plan.js';

export interface BrokerChoice {
  readonly kind: BrokerKind;
  /** Of an external broker; of a cluster's nodes, with commas between them. */
  readonly url?: string;
}

/**
 * Which broker carries the bus.
 *
 * @param wanted `auto`, `embedded`, `nats-server`, or `nats://` or `tls://` URLs with commas between them
 * @param natsServer path of the nats-server program, if there is one
 * @throws Error with what is accepted
 */
export function chooseBroker(wanted: string, natsServer: string | undefined): BrokerChoice {
  if (wanted === 'embedded') return { kind: 'embedded' };
  if (wanted === 'auto') return { kind: natsServer === undefined ? 'embedded' : 'nats-server' };
  if (wanted === 'nats-server') {
    if (natsServer === undefined) throw new Error('bus.broker is nats-server, but there is no nats-server on PATH');
    return { kind: 'nats-server' };
  }
  if (/^(nats|tls):\/\//.test(wanted)) return { kind: 'external', url: checked(wanted) };
  throw new Error(`bus.broker must be auto, embedded, nats-server or a nats:// URL, not ${JSON.stringify(wanted)}`);
}

function checked(list: string): string {
  try {
    brokerUrls(list);
    return list;
  } catch (cause) {
    throw new Error(`bus.broker: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** How a broker is called in `yard.status`: credentials in a URL are nobody's business. */
export function brokerLabel(choice: BrokerChoice): string {
  if (choice.url === undefined) return choice.kind;
  return brokerUrls(choice.url)
    .map(({ protocol, host }) => `${protocol}//${host}`)
    .join(', ');
}
