import type { HandlerContext } from '@switchyard/bus';
import type { Handlers } from '@switchyard/protocol';
import type { EventWriter } from '@switchyard/service';
import { MEANINGS, type Told } from '../domain/told-events.js';

type All = Handlers<'git-service', HandlerContext>;
type AnyHandler = (params: never, context: HandlerContext) => unknown;
type AnyMeaning = (result: never, params: never) => Told | null;

/** The same handlers; what they have changed is told when they answer. A call that is sent again is told once. */
export function tellingEvents(handlers: All, events: Pick<EventWriter, 'tell'>): All {
  const telling = Object.entries<AnyMeaning>(MEANINGS as Record<string, AnyMeaning>).map(([method, meaning]) => {
    const handler = handlers[method as keyof typeof MEANINGS] as AnyHandler;
    const told: AnyHandler = async (params, context) => {
      const result = await handler(params, context);
      const event = meaning(result as never, params);
      if (event !== null) events.tell({ key: `${method} ${context.callId}`, ...event });
      return result;
    };
    return [method, told];
  });
  return { ...handlers, ...Object.fromEntries(telling) };
}
