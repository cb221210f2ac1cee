import { flag, type Run, text } from '../command.js';
import { UsageError, WAIT_MARGIN_MS } from '../context.js';
import { cleanText } from '../domain/clean-text.js';

const DEFAULT_WAIT_MS = 30_000;

export const wait: Run = async (context, [surface_id = ''], options) => {
  const pattern = text(options, 'text');
  const exit = flag(options, 'exit');
  if ((pattern !== undefined) === exit) throw new UsageError('give one of --text and --exit');
  const timeout_ms = context.globals.timeout ?? DEFAULT_WAIT_MS;
  const condition = pattern !== undefined ? { pattern } : { exit: true };
  const seen = await context.call(
    'surface.wait',
    { surface_id, timeout_ms, ...condition },
    timeout_ms + WAIT_MARGIN_MS,
  );
  context.out.result(seen, ({ match, exit_code, signal }) =>
    match !== undefined ? cleanText(match) : `exited: ${signal ?? exit_code ?? 'unknown'}`,
  );
};
