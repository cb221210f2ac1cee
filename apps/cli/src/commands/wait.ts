import type { Params } from '@switchyard/protocol';
import { flag, type Run, text } from '../command.js';
import { UsageError, WAIT_MARGIN_MS } from '../context.js';
import { cleanText } from '../domain/clean-text.js';

type Condition = Pick<Params<'surface.wait'>, 'pattern' | 'exit' | 'agent_state'>;

const DEFAULT_WAIT_MS = 30_000;

export const wait: Run = async (context, [surface_id = ''], options) => {
  const pattern = text(options, 'text');
  const agentState = text(options, 'agentState') as Condition['agent_state'];
  const conditions: Condition[] = [
    ...(pattern === undefined ? [] : [{ pattern }]),
    ...(flag(options, 'exit') ? [{ exit: true }] : []),
    ...(agentState === undefined ? [] : [{ agent_state: agentState }]),
  ];
  const [condition, another] = conditions;
  if (condition === undefined || another !== undefined) {
    throw new UsageError('give one of --text, --exit and --agent-state');
  }
  const timeout_ms = context.globals.timeout ?? DEFAULT_WAIT_MS;
  const asked = { surface_id, timeout_ms, ...condition };
  const seen = await context.call('surface.wait', asked, timeout_ms + WAIT_MARGIN_MS);
  context.out.result(seen, ({ condition: what, match, exit_code, signal, state }) => {
    if (what === 'pattern') return cleanText(match ?? '');
    return what === 'exit' ? `exited: ${signal ?? exit_code ?? 'unknown'}` : (state ?? 'unknown');
  });
};
