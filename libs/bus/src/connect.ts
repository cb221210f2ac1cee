import type { Bus, BusOptions } from './types.js';

/** Connects, trying for ever; resolves when first connected. */
export function connectBus(options: BusOptions): Promise<Bus> {
  return Promise.reject(new Error(`not connected to ${options.url}`));
}
