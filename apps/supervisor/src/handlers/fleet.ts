import { fail, type Handlers } from '@switchyard/protocol';
import type { Fleet } from '../fleet/fleet.js';

export type FleetHandlers = Pick<Handlers<'supervisor', unknown>, 'fleet.admit' | 'fleet.expel'>;

/**
 * Who of the fleet may connect.
 *
 * @param fleet undefined: other machines cannot join
 * @param why sentence that says what to do about it
 */
export function fleetHandlers(fleet: Fleet | undefined, why: string): FleetHandlers {
  const present = () => fleet ?? fail('fleet_not_configured', why);
  return {
    'fleet.admit': async (params) => ({ credentials: await present().admit(params) }),
    'fleet.expel': async ({ name }) => ({ expelled: await present().expel(name) }),
  };
}
