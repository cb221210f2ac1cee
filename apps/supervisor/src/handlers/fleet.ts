import { fail, type Handlers } from '@switchyard/protocol';

export type FleetHandlers = Pick<Handlers<'supervisor', unknown>, 'fleet.admit' | 'fleet.expel'>;

/** Who of the fleet may connect. */
export function fleetHandlers(): FleetHandlers {
  const refuse = (): never =>
    fail('fleet_not_configured', 'No other machine can join this yard: set fleet.listen in its settings.');
  return { 'fleet.admit': refuse, 'fleet.expel': refuse };
}
