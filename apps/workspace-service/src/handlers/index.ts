import type { HandlerContext } from '@switchyard/bus';
import { contract, type Handlers, type MethodName, type MethodsOf } from '@switchyard/protocol';
import type { Services } from '../services.js';
import type { Call, YardState } from '../yard-state.js';
import { accessHandlers } from './access.js';
import { agentHandlers } from './agent.js';
import { surfaceReportHandlers, workspaceReportHandlers } from './agent-reports.js';
import { sessionQueryHandlers, sessionReportHandlers } from './agent-sessions.js';
import { appHandlers } from './app.js';
import { debugHandlers } from './debug.js';
import { eventHandlers } from './events.js';
import { hostHandlers } from './host.js';
import { integrationHandlers } from './integration.js';
import { journalHandlers } from './journal.js';
import { layoutHandlers } from './layout.js';
import { metadataHandlers, summaryHandlers } from './metadata.js';
import { notificationHandlers } from './notification.js';
import { paneHandlers } from './pane.js';
import { reviewHandlers } from './review.js';
import { sidebarHandlers } from './sidebar.js';
import { snapshotHandlers } from './snapshot.js';
import { surfaceTreeHandlers } from './surface.js';
import { surfaceTerminalHandlers } from './surface-terminal.js';
import { systemHandlers } from './system.js';
import { tabHandlers } from './tab.js';
import { telemetryHandlers } from './telemetry.js';
import { windowHandlers } from './window.js';
import { workspaceHandlers } from './workspace.js';
import { workspacePlaceHandlers } from './workspace-place.js';

type Own = MethodsOf<'workspace-service'>;
type AnyHandler<C> = (params: never, context: C) => unknown;

/** Every method of the service, by name. */
export function allHandlers(services: Services): Handlers<'workspace-service', HandlerContext> {
  const handlers: Handlers<'workspace-service', Call> = {
    ...systemHandlers(services),
    ...accessHandlers(services),
    ...hostHandlers(services),
    ...windowHandlers(services),
    ...workspaceHandlers(services),
    ...workspacePlaceHandlers(services),
    ...paneHandlers(services),
    ...surfaceTreeHandlers(services),
    ...surfaceTerminalHandlers(services),
    ...tabHandlers(services),
    ...appHandlers(services),
    ...layoutHandlers(services),
    ...snapshotHandlers(services),
    ...debugHandlers(services),
    ...agentHandlers(services),
    ...surfaceReportHandlers(services),
    ...workspaceReportHandlers(services),
    ...sessionReportHandlers(services),
    ...sessionQueryHandlers(services),
    ...telemetryHandlers(services),
    ...sidebarHandlers(services),
    ...metadataHandlers(services),
    ...summaryHandlers(services),
    ...integrationHandlers(services),
    ...reviewHandlers(services),
    ...eventHandlers(services),
    ...journalHandlers(services),
    ...notificationHandlers(services),
  };
  const wrapped = Object.entries(handlers).map(([method, handler]) => [
    method,
    repeatable(services.state, method as Own, handler as AnyHandler<Call>),
  ]);
  return Object.fromEntries(wrapped) as Handlers<'workspace-service', HandlerContext>;
}

/** Gives the handler its {@link Call}, and runs a mutation that carries a request_id only once. */
function repeatable(state: YardState, method: MethodName, handler: AnyHandler<Call>): AnyHandler<HandlerContext> {
  return async (params, context) => {
    const run = async (resumed: boolean) => handler(params, { ...context, method, resumed });
    const { requestId } = context;
    const { effect, repeatKey } = contract[method];
    // A method with a key of its own tells its repeats itself.
    const isOwn = repeatKey !== null && repeatKey !== 'request_id';
    if (requestId === undefined || effect !== 'mutation' || isOwn) return run(false);
    return state.once(method, requestId, run);
  };
}
