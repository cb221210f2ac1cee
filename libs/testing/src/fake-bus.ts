import type { Bus, CallOptions, HandlerContext, Served } from '@switchyard/bus';
import {
  type BusEvent,
  type BusEventName,
  type Handler,
  type MethodName,
  type Params,
  type Result,
  SwitchyardError,
} from '@switchyard/protocol';

export type Answers = { readonly [M in MethodName]?: Handler<M, HandlerContext> };

/** How long a handler may believe it has. */
const DEADLINE_MS = 10_000;

export interface FakeBus extends Bus {
  /** The same as a mark from another service. @param host whose it is; default: the yard's own machine */
  emit<E extends BusEventName>(event: E, data: BusEvent<E>, host?: string): void;
  readonly published: { event: BusEventName; data: unknown }[];
}

/**
 * A bus in memory, for tests of one service's handlers: a call goes to what the service under test serves, else to
 * `answers`, which stand for the other services; with neither it is `service_unavailable`.
 */
export function fakeBus(answers: Answers = {}): FakeBus {
  const served: Record<string, unknown> = { ...answers };
  const listeners = new Map<string, Set<Listener>>();
  const published: FakeBus['published'] = [];

  const callNamed = async (method: string, params: unknown, options: CallOptions = {}): Promise<unknown> => {
    const handler = served[method];
    if (typeof handler !== 'function') throw new SwitchyardError('service_unavailable', `nobody answers ${method}`);
    return handler(params, contextOf(options));
  };
  const emit = (event: BusEventName, data: unknown, host = LOCAL) => {
    for (const fn of listeners.get(event) ?? []) fn(data as never, host);
  };
  return {
    instance: 'fake',
    connected: true,
    published,
    emit,
    call: async <M extends MethodName>(method: M, params: Params<M>, options: CallOptions = {}) =>
      (await callNamed(method, params, options)) as Result<M>,
    callNamed: (method, params, options) => callNamed(method, params, options),
    serve: async (_service, _address, handlers): Promise<Served> => {
      Object.assign(served, handlers);
      return { health: 'ready', stop: async () => undefined };
    },
    present: () => () => undefined,
    survey: async () => [],
    publish: (event, data) => {
      published.push({ event, data });
    },
    subscribe: (event, fn) => {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(fn as Listener));
      return () => set.delete(fn as Listener);
    },
    onReconnect: () => () => undefined,
    flush: async () => undefined,
    close: async () => listeners.clear(),
  };
}

type Listener = (data: never, host: string) => void;
/** Where events of a fake bus come from. */
const LOCAL = 'local';

function contextOf({ signal, caller, requestId }: CallOptions): HandlerContext {
  return {
    signal: signal ?? new AbortController().signal,
    deadline: performance.now() + DEADLINE_MS,
    caller: caller ?? { kind: 'client', name: 'test' },
    callId: 'test',
    requestId,
  };
}
