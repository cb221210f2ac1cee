import type { Bus, HandlerContext } from '@switchyard/bus';
import type { HandlersIn, Params } from '@switchyard/protocol';
import type { NotificationStore } from '../adapters/notification-store.js';
import { noticeOf } from '../domain/notice.js';
import { pickTarget, type Target } from '../domain/target.js';

type Where = Pick<Params<'notification.create'>, 'window_id' | 'workspace_id' | 'surface_id'>;
type Texts = Pick<Params<'notification.create'>, 'title' | 'subtitle' | 'body'>;

/** `notification.*`. A repeated create replaces what the first one made, so that it is safe to send it twice. */
export function notificationHandlers(
  bus: Bus,
  store: NotificationStore,
): HandlersIn<'notification', 'notifier', HandlerContext> {
  const create = async (params: Where & Texts, ctx: HandlerContext): Promise<Target> => {
    const target = await targetOf(bus, params, ctx);
    store.put(target, noticeOf(params, target.customTitle));
    return target;
  };
  return {
    'notification.create': async (params, ctx) => {
      const { workspace_id, surface_id } = await create(params, ctx);
      return { workspace_id, surface_id };
    },
    'notification.create_for_surface': async (params, ctx) => placeOf(await create(params, ctx)),
    'notification.create_for_target': async (params, ctx) => placeOf(await create(params, ctx)),
    'notification.list': () => ({ notifications: store.list() }),
    'notification.clear': async ({ workspace_id }, ctx) => {
      if (workspace_id === undefined) {
        store.clear();
        return {};
      }
      const found = await bus.call('workspace.current', { workspace_id }, forwarded(ctx));
      store.removeOfWorkspace(found.workspace_id);
      return { workspace_id: found.workspace_id, workspace_ref: found.workspace_ref };
    },
  };
}

/** The workspace-service knows which window and workspace are meant; the surface is picked from its answer. */
async function targetOf(bus: Bus, params: Where, ctx: HandlerContext): Promise<Target> {
  const { window_id, workspace_id, surface_id } = params;
  const where = {
    ...(window_id !== undefined && { window_id }),
    ...(workspace_id !== undefined && { workspace_id }),
    ...(surface_id !== undefined && { surface_id }),
  };
  return pickTarget(await bus.call('surface.list', where, forwarded(ctx)), surface_id);
}

const forwarded = (ctx: HandlerContext) => ({
  signal: ctx.signal,
  caller: ctx.caller,
  timeoutMs: Math.max(1, ctx.deadline - Date.now()),
});

function placeOf({ customTitle: _, ...place }: Target): Omit<Target, 'customTitle'> {
  return place;
}
