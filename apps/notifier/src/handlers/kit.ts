import type { Bus, HandlerContext } from '@switchyard/bus';
import type { Params } from '@switchyard/protocol';
import type { Desk } from '../desk.js';
import type { Place } from '../domain/words.js';
import type { TerminalSignals } from '../sources/terminal-signals.js';

/** What the handlers work with. */
export interface Kit {
  readonly bus: Bus;
  readonly desk: Desk;
  readonly signals: TerminalSignals;
  readonly yard: string;
}

type Where = Params<'notification.place'>;

/** The same caller and what is left of its time. */
export const forwarded = (ctx: HandlerContext) => ({
  signal: ctx.signal,
  caller: ctx.caller,
  timeoutMs: Math.max(1, Math.ceil(ctx.deadline - performance.now())),
});

/** The workspace-service knows what a handle means. @throws SwitchyardError `not_found`, `unavailable` */
export function placeOf(
  { bus }: Kit,
  where: { readonly [P in keyof Where]?: Where[P] | undefined },
  ctx: HandlerContext,
): Promise<Place> {
  const { window_id, workspace_id, surface_id } = where;
  const given = {
    ...(window_id !== undefined && { window_id }),
    ...(workspace_id !== undefined && { workspace_id }),
    ...(surface_id !== undefined && { surface_id }),
  };
  return bus.call('notification.place', given, forwarded(ctx));
}

/** Id and ref of a workspace that is named. */
export async function workspaceNamed({ bus }: Kit, handle: string, ctx: HandlerContext) {
  const { workspace_id, workspace_ref } = await bus.call('workspace.current', { workspace_id: handle }, forwarded(ctx));
  return { workspace_id, workspace_ref };
}

/** The id of a workspace that may be named. */
export async function workspaceId(
  kit: Kit,
  handle: string | undefined,
  ctx: HandlerContext,
): Promise<string | undefined> {
  return handle === undefined ? undefined : (await workspaceNamed(kit, handle, ctx)).workspace_id;
}

/** Does a mutation that carries a request_id once; a repeat gets the answer of the first, over restarts too. */
export function once<T>({ desk }: Kit, method: string, ctx: HandlerContext, fn: () => T): T {
  const { requestId } = ctx;
  if (requestId === undefined) return desk.change(fn);
  const cause = `${method} ${requestId}`;
  return desk.change(() => {
    const before = desk.sources.answerTo(cause);
    if (before !== undefined) return before as T;
    const answer = fn();
    desk.sources.remember(cause, answer);
    return answer;
  });
}
