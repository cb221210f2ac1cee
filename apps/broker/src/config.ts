import type { ServiceEnv } from '@switchyard/config';
import { readBusFile } from '@switchyard/service/bus-file';
import type { BrokerConfig } from './broker.js';

/** Where to listen and what to demand, from the bus file that the clients read too. */
export async function configOf(env: ServiceEnv): Promise<BrokerConfig> {
  const { url, token } = await readBusFile(env.paths.busFile);
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port), token };
}
