import { randomUUID } from 'node:crypto';
import { displayText } from '@switchyard/agents';
import type { HandlerContext } from '@switchyard/bus';
import type { HandlersIn, Params, Result } from '@switchyard/protocol';
import { fail } from '@switchyard/protocol';
import type { Message } from '../domain/message.js';
import { noticeOf } from '../domain/notice.js';
import { RateLimiter, SHOWN } from '../domain/rate-limit.js';
import { type Kit, once, placeOf } from './kit.js';

type Handlers = HandlersIn<'notification', 'notifier', HandlerContext>;
type Creating = Pick<Handlers, `notification.create${'' | '_for_surface' | '_for_target'}` | 'notification.show'>;
type Given = Params<'notification.create'>;

/** As Gardn cuts them. */
const SHOWN_TITLE_CHARS = 80;
const SHOWN_BODY_CHARS = 240;

/** `notification.create…` and `notification.show`. */
export function creatingHandlers(kit: Kit): Creating {
  const shown = new RateLimiter(SHOWN);
  const create = async (method: string, params: Given, ctx: HandlerContext) => {
    const notice = noticeOf(params);
    const place = await placeOf(kit, params, ctx);
    const { window_id, window_ref, workspace_id, workspace_ref, surface_id, surface_ref } = place;
    return once(kit, method, ctx, () => {
      kit.desk.post({ place, reason: 'request', agent: null, notice });
      return { window_id, window_ref, workspace_id, workspace_ref, surface_id, surface_ref };
    });
  };
  return {
    'notification.create': async (params, ctx) => {
      const { workspace_id, surface_id } = await create('notification.create', params, ctx);
      return { workspace_id, surface_id };
    },
    'notification.create_for_surface': (params, ctx) => create('notification.create_for_surface', params, ctx),
    'notification.create_for_target': (params, ctx) => create('notification.create_for_target', params, ctx),
    'notification.show': (params, ctx) => {
      const title = displayText(params.title, SHOWN_TITLE_CHARS);
      if (title === '') fail('invalid_params', 'The title is empty.', { parameter: 'title' });
      const body = displayText(params.body ?? '', SHOWN_BODY_CHARS);
      return once(kit, 'notification.show', ctx, () => show(kit, shown, { ...params, title, body }));
    },
  };
}

function show(
  { desk, yard }: Kit,
  limiter: RateLimiter,
  params: Params<'notification.show'> & { body: string },
): Result<'notification.show'> {
  const at = desk.now();
  if (desk.defaultLevel === 'quiet') return { shown: false, reason: 'disabled' };
  const isThere = desk.attendance.anybody(at);
  if (desk.adapters.length === 0 && !isThere) return { shown: false, reason: 'no_foreground_client' };
  if (!limiter.take('', at)) return { shown: false, reason: 'rate_limited' };
  const { title, body, sound = 'none', position = null } = params;
  const taken = desk.show(messageShown(title, body, yard, at));
  if (taken === 0 && !isThere) return { shown: false, reason: 'busy' };
  const nowhere = { workspace_id: null, surface_id: null };
  desk.untold.add(`shown ${randomUUID()}`, 'notification.shown', nowhere, { title, body, sound, position });
  return { shown: true, reason: 'shown' };
}

function messageShown(title: string, body: string, yard: string, at: number): Message {
  const nothing = { notification_id: null, agent: null, subtitle: '', workspace: null, surface: null, action: null };
  return { ...nothing, yard, at: new Date(at).toISOString(), reason: 'shown', title, body };
}
