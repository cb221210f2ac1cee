import { nkeys } from '@nats-io/nats-core';

/** A key by which a machine proves to the broker who it is. */
export interface HostKey {
  /** The secret half. */
  readonly seed: string;
  readonly publicKey: string;
}

export function makeHostKey(): HostKey {
  const pair = nkeys.createUser();
  return { seed: Buffer.from(pair.getSeed()).toString('latin1'), publicKey: pair.getPublicKey() };
}
