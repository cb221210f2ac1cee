import { type HandlerContext, LOCAL_HOST } from '@switchyard/bus';
import { fail, type HandlersIn } from '@switchyard/protocol';
import { placeOfSurface } from '../sources/places.js';
import { creatingHandlers } from './creating.js';
import { type Kit, placeOf, workspaceNamed } from './kit.js';
import { readingHandlers } from './reading.js';

/** As long as a person sits before a screen without touching anything. */
const ATTEND_MS = 120_000;

/** `notification.*`. */
export function notificationHandlers(kit: Kit): HandlersIn<'notification', 'notifier', HandlerContext> {
  const { desk, signals } = kit;
  return {
    ...creatingHandlers(kit),
    ...readingHandlers(kit),
    'notification.set_level': async ({ workspace_id: handle, level }, ctx) => {
      const named = await workspaceNamed(kit, handle, ctx);
      const before = desk.levelOf(named.workspace_id);
      desk.change(() => {
        desk.rules.set(named.workspace_id, level === 'default' ? undefined : level);
        const now = desk.levelOf(named.workspace_id);
        if (now === before) return;
        const place = { workspace_id: named.workspace_id, surface_id: null };
        desk.untold.add(`level ${ctx.callId}`, 'notification.level_changed', place, { level: now });
      });
      return { ...named, level: desk.levelOf(named.workspace_id) };
    },
    'notification.attend': async ({ surface_id, for_ms: forMs = ATTEND_MS }, ctx) => {
      const { name, surface_id: own } = ctx.caller;
      if (forMs === 0) {
        desk.attendance.leave(name);
        return { attending: false, until: null };
      }
      await refuseAgents(kit, own);
      const place = surface_id === undefined ? undefined : await placeOf(kit, { surface_id }, ctx);
      if (own !== undefined && own === place?.surface_id) {
        fail('forbidden', 'A program in a terminal is not who looks at it.', { missing: ['person'] });
      }
      const until = desk.now() + forMs;
      desk.attendance.attend(name, place?.surface_id ?? null, until);
      if (place !== undefined) desk.change(() => desk.mark({ surfaceId: place.surface_id }, true));
      return { attending: true, until };
    },
    'notification.hear': async ({ surface_id, signals: given }, { caller }) => ({
      heard_to: await signals.hear(surface_id, given, caller.host ?? LOCAL_HOST),
    }),
  };
}

/** What runs in the terminal of an agent is the agent, or was started by it. */
async function refuseAgents({ bus }: Kit, surfaceId: string | undefined): Promise<void> {
  const place = surfaceId === undefined ? undefined : await placeOfSurface(bus, surfaceId);
  if (place?.has_agent_state) {
    fail('forbidden', 'The caller runs in the terminal of an agent: it is no person.', { missing: ['person'] });
  }
}
