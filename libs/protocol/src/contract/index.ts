import type { AnyMethod, ParamsOf, ResultOf, ServiceName } from '../define.js';
import { access } from './access.js';
import { agent } from './agent.js';
import { agentControl } from './agent-control.js';
import { agentSession } from './agent-session.js';
import { agentState } from './agent-state.js';
import { app } from './app.js';
import { debug } from './debug.js';
import { events } from './events.js';
import { fleet } from './fleet.js';
import { git } from './git.js';
import { gitWatch } from './git-watch.js';
import { hostMethods } from './host.js';
import { integration } from './integration.js';
import { layout } from './layout.js';
import { metadata } from './metadata.js';
import { notification } from './notification.js';
import { observe } from './observe.js';
import { pane } from './pane.js';
import { review } from './review.js';
import { sidebar } from './sidebar.js';
import { snapshot } from './snapshot.js';
import { status } from './status.js';
import { subscriptions } from './subscriptions.js';
import { surface } from './surface.js';
import { surfaceTerminal } from './surface-terminal.js';
import { auth, system } from './system.js';
import { tab } from './tab.js';
import { telemetry } from './telemetry.js';
import { terminal } from './terminal.js';
import { window } from './window.js';
import { workspace } from './workspace.js';
import { workspacePlace } from './workspace-place.js';
import { worktree } from './worktree.js';
import { worktreeMerge } from './worktree-merge.js';
import { worktreeRemoval } from './worktree-removal.js';
import { yard } from './yard.js';

/** Every method there is, by name. The only such list. */
export const contract = {
  ...system,
  ...auth,
  ...access,
  ...yard,
  ...fleet,
  ...observe,
  ...hostMethods,
  ...window,
  ...workspace,
  ...pane,
  ...surface,
  ...surfaceTerminal,
  ...status,
  ...tab,
  ...app,
  ...layout,
  ...snapshot,
  ...notification,
  ...agent,
  ...agentControl,
  ...agentState,
  ...agentSession,
  ...telemetry,
  ...sidebar,
  ...metadata,
  ...integration,
  ...workspacePlace,
  ...worktree,
  ...review,
  ...git,
  ...worktreeRemoval,
  ...worktreeMerge,
  ...gitWatch,
  ...events,
  ...subscriptions,
  ...debug,
  ...terminal,
} as const;

export type Contract = typeof contract;
export type MethodName = keyof Contract;
export type Params<M extends MethodName> = ParamsOf<Contract[M]>;
export type Result<M extends MethodName> = ResultOf<Contract[M]>;

/** The methods that a service must answer. */
export type MethodsOf<S extends ServiceName> = {
  [M in MethodName]: Contract[M]['owner'] extends S ? M : never;
}[MethodName];
/** The methods of one namespace, e.g. `'workspace'`. */
export type MethodsIn<N extends string> = Extract<MethodName, `${N}.${string}`>;

export type Handler<M extends MethodName, C> = (params: Params<M>, ctx: C) => Result<M> | Promise<Result<M>>;
/** All handlers of a service: a missing or extra one does not compile. */
export type Handlers<S extends ServiceName, C> = { [M in MethodsOf<S>]: Handler<M, C> };
/** The handlers of one namespace that a service owns. */
export type HandlersIn<N extends string, S extends ServiceName, C> = {
  [M in Extract<MethodsIn<N>, MethodsOf<S>>]: Handler<M, C>;
};

export function methodNamed(name: string): AnyMethod | undefined {
  return Object.hasOwn(contract, name) ? (contract[name as MethodName] as AnyMethod) : undefined;
}

export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(contract, name);
}

/** Names of the methods that clients may call, sorted. */
export const PUBLIC_METHODS: readonly MethodName[] = (Object.keys(contract) as MethodName[])
  .filter((name) => contract[name].visibility === 'public')
  .sort();
