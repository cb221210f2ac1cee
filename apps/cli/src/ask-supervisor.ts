import type { Client } from '@switchyard/client';
import { type Context, NoYardError } from './context.js';

/**
 * A connection on which `yard.*` is answered: the supervisor's own, which works while the gateway is away. A socket
 * given without its yard leads to the gateway only.
 *
 * @throws NoYardError when neither is there
 */
export async function askSupervisor(context: Context): Promise<Client> {
  try {
    return await context.connect(context.paths.supervisorSocket);
  } catch (error) {
    if (!(error instanceof NoYardError)) throw error;
    return context.connect(context.paths.gatewaySocket);
  }
}
