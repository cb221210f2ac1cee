import { connect } from '@nats-io/transport-node';
import { login } from './link.js';
import type { BusOptions } from './types.js';

/** On loopback it takes milliseconds. */
const TRY_MS = 2000;

/** @returns whether a broker lets us in with that key just now */
export async function tryLogin(options: Pick<BusOptions, 'url' | 'token' | 'seed' | 'ca'>): Promise<boolean> {
  try {
    const connection = await connect({ ...login(options), name: 'login', reconnect: false, timeout: TRY_MS });
    await connection.close();
    return true;
  } catch {
    return false; // refused, or nobody there: the caller asks again
  }
}
