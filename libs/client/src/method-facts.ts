import type { AnyMethod } from '@switchyard/protocol';

/** The gateway answers `timeout` itself, with the facts; only when it does not answer at all does the client give up. */
const GATEWAY_MARGIN_MS = 13_000;
/** For a method that this version of the contract does not know. */
const UNKNOWN_METHOD_MS = 15_000;

/**
 * The contract is loaded when it is first asked: that takes longer than everything else together, and a caller that says
 * how long it will wait has no question.
 */
const load = () => import('@switchyard/protocol');

export async function methodFacts(method: string): Promise<AnyMethod | undefined> {
  return (await load()).methodNamed(method);
}

/** Milliseconds to wait for a method when the caller does not say. */
export async function defaultTimeoutMs(method: string, params: unknown): Promise<number> {
  const { deadlineMsOf, methodNamed } = await load();
  const spec = methodNamed(method);
  return spec ? deadlineMsOf(spec, params, GATEWAY_MARGIN_MS) : UNKNOWN_METHOD_MS;
}
