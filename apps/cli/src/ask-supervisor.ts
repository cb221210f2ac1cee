import type { Client } from '@switchyard/client';
import { SwitchyardError } from '@switchyard/protocol/errors';
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

/** The gateway answered, but nobody behind it: the supervisor was killed. Says so in place of its error. */
export function explainAbsence(error: unknown): never {
  if (!(error instanceof SwitchyardError) || error.code !== 'service_unavailable') throw error;
  const message = 'The yard runs without its supervisor. Nothing is lost; take it over with: switchyard up';
  throw new SwitchyardError('service_unavailable', message, undefined, { cause: error });
}
