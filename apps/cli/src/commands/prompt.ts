import type { Result } from '@switchyard/protocol';
import { flag, type Run, text } from '../command.js';
import { WAIT_MARGIN_MS } from '../context.js';
import { EXIT } from '../domain/exit-codes.js';
import { readStdin } from './stdin.js';

/** As long as a turn may take, where nobody says how long. */
const WAIT_MS = 120_000;
/** To write a prompt and see that it arrived. */
const WRITE_MS = 30_000;

export const prompt: Run = async (context, [target = '', ...words], options) => {
  const isWaiting = flag(options, 'wait');
  const timeout_ms = context.globals.timeout ?? (isWaiting ? WAIT_MS : WRITE_MS);
  const id = text(options, 'id');
  const params = {
    ...targetOf(target),
    text: words.length > 0 ? words.join(' ') : await readStdin(),
    timeout_ms,
    ...(isWaiting ? {} : { wait: false, working_grace_ms: 0 }),
    ...(flag(options, 'force') && { force: true }),
    ...(id !== undefined && { client_message_id: id }),
  };
  const done = await context.call('agent.prompt', params, timeout_ms + WAIT_MARGIN_MS);
  if (done.warning !== undefined && isWorthTelling(done, isWaiting)) context.out.note(done.warning);
  context.out.result(done, ({ receipt, final_state }) => (isWaiting ? (final_state ?? receipt.stage) : receipt.stage));
  return done.receipt.outcome === 'delivered' ? EXIT.ok : EXIT.refused;
};

/** A surface, or an agent by the name that it was started with: those have no colon and are shorter than an id. */
export function targetOf(target: string): { surface_id: string } | { name: string } {
  return /^[a-z][a-z0-9_-]{0,31}$/.test(target) ? { name: target } : { surface_id: target };
}

/** Whoever does not wait for the turn need not know that nobody would have told of it. */
const isWorthTelling = ({ receipt }: Result<'agent.prompt'>, isWaiting: boolean): boolean =>
  isWaiting || receipt.outcome !== 'delivered';
