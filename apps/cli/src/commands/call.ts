import { suggest } from '@switchyard/config/suggest';
import { SwitchyardError } from '@switchyard/protocol/errors';
import type { Run } from '../command.js';
import { UsageError, WAIT_MARGIN_MS } from '../context.js';
import { readStdin } from './stdin.js';

export const call: Run = async (context, [method = '', given]) => {
  const params = parse(given === '-' ? await readStdin() : (given ?? '{}'));
  try {
    context.out.json(
      await context.callNamed(method, params, timeoutFor(context.globals.timeout, params, context.timeoutMs)),
    );
  } catch (error) {
    if (!(error instanceof SwitchyardError) || error.code !== 'method_not_found') throw error;
    const { PUBLIC_METHODS } = await import('@switchyard/protocol');
    const near = suggest(method, PUBLIC_METHODS);
    const hint = near === undefined ? 'See: switchyard methods' : `Did you mean ${near}?`;
    throw new SwitchyardError('method_not_found', `There is no method ${method}. ${hint}`, error.data);
  }
};

function parse(json: string): Record<string, unknown> {
  let params: unknown;
  try {
    params = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`the params are not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof params === 'object' && params !== null && !Array.isArray(params)) return params as Record<string, unknown>;
  throw new UsageError('the params must be a JSON object');
}

/** A call that itself says how long it will wait gets that time, and a little for the answer. */
function timeoutFor(chosen: number | undefined, params: Record<string, unknown>, usual: number): number {
  if (chosen !== undefined) return chosen;
  const waits = ['timeout_ms', 'timeout', 'wait_ms'].map((name) => Number(params[name] ?? 0)).filter(Number.isFinite);
  return Math.max(usual, ...waits.map((ms) => ms + WAIT_MARGIN_MS));
}
