import type { HandlerContext } from '@switchyard/bus';
import type { HandlersIn } from '@switchyard/protocol';
import { decodeCursor, encodeCursor } from '../domain/list-cursor.js';
import { cleanTitle } from '../domain/notice.js';
import { placeOfWorkspace } from '../sources/places.js';
import { MOST_LIVE } from '../store/item-store.js';
import { type Kit, placeOf, workspaceId, workspaceNamed } from './kit.js';

type Handlers = HandlersIn<'notification', 'notifier', HandlerContext>;

const DELIVERIES = 100;

/** The list, its marks, and what became of the deliveries. */
export function readingHandlers(
  kit: Kit,
): Pick<Handlers, `notification.${'list' | 'mark_read' | 'clear' | 'deliveries' | 'rules'}`> {
  const { desk, bus } = kit;
  return {
    'notification.list': async ({ workspace_id, unread, limit = MOST_LIVE, cursor }, ctx) => {
      const older = cursor === undefined ? undefined : decodeCursor(cursor);
      const isRead = unread === undefined ? undefined : !unread;
      const filter = { workspaceId: await workspaceId(kit, workspace_id, ctx), isRead };
      const { rows, next } = paged(desk.items.page(filter, older, limit + 1), limit);
      return { notifications: rows, next_cursor: next };
    },
    'notification.mark_read': async ({ workspace_id, surface_id, ids, before, is_read = true }, ctx) => {
      const place = surface_id === undefined ? undefined : await placeOf(kit, { workspace_id, surface_id }, ctx);
      const inWorkspace = place?.workspace_id ?? (await workspaceId(kit, workspace_id, ctx));
      const filter = { workspaceId: inWorkspace, surfaceId: place?.surface_id, ids, before };
      return { changed: desk.change(() => desk.mark(filter, is_read)) };
    },
    'notification.clear': async ({ workspace_id, ids, before }, ctx) => {
      const named = workspace_id === undefined ? undefined : await workspaceNamed(kit, workspace_id, ctx);
      desk.change(() => desk.clear({ workspaceId: named?.workspace_id, ids, before }));
      return named ?? {};
    },
    'notification.deliveries': async ({ workspace_id, state, limit = DELIVERIES, cursor }, ctx) => {
      const older = cursor === undefined ? undefined : decodeCursor(cursor);
      const filter = { workspaceId: await workspaceId(kit, workspace_id, ctx), state };
      const { rows, next } = paged(desk.deliveries.page(filter, older, limit + 1), limit);
      return { deliveries: rows, next_cursor: next };
    },
    'notification.rules': async ({ workspace_id }, ctx) => {
      const only = await workspaceId(kit, workspace_id, ctx);
      const said = desk.rules.all().filter((rule) => only === undefined || rule.workspace_id === only);
      const rules = said.map(async ({ workspace_id: id, level }) => {
        const place = await placeOfWorkspace(bus, id);
        // It is just being closed, and its rule goes with it.
        if (place === undefined) return [];
        const { workspace_id, workspace_ref, workspace_title } = place;
        return [{ workspace_id, workspace_ref, level, title: cleanTitle(workspace_title) }];
      });
      return { default: desk.defaultLevel, rules: (await Promise.all(rules)).flat() };
    },
  };
}

/** One more was asked for than is shown: then there is a next page. */
function paged<T extends { readonly seq: number }>(found: readonly T[], limit: number) {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows: rows.map(({ seq: _, ...row }) => row),
    next: found.length > limit && last !== undefined ? encodeCursor(last.seq) : null,
  };
}
