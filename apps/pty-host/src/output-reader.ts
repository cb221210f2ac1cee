import { fail, type Params, type Result, SwitchyardError } from '@switchyard/protocol';
import { LogReader } from '@switchyard/store/log';
import type { Follower } from './follower.js';

type Request = Params<'terminal.read_output'>;
type Slice = Result<'terminal.read_output'>;

const DEFAULT_BYTES = 256 * 1024;
/** A reply of this size is a third of a bus message more, in base64; whoever wants more asks again. */
const MAX_BYTES = 1024 * 1024;

/**
 * Exact bytes from the log, independent of the screen. With `wait_ms` it waits until there is a byte, the end, or nothing
 * more to wait for.
 *
 * @throws SwitchyardError `invalid_params` for an offset that is not reached yet, `not_found` once the surface is gone
 */
export async function readOutput(
  follower: Follower,
  request: Request,
  logRoot: string,
  signal: AbortSignal,
): Promise<Slice> {
  const log = new LogReader(logRoot, follower.surfaceId);
  try {
    const from = request.offset ?? log.start();
    const end = log.end();
    if (from > end) {
      fail('invalid_params', 'The terminal has not produced that much.', { path: 'offset', offset: from, end });
    }
    const first = readOnce(follower, log, from, request.max_bytes);
    if (hasNews(first) || !request.wait_ms) return first;
    return await waitForNews(follower, () => readOnce(follower, log, from, request.max_bytes), request.wait_ms, signal);
  } finally {
    log.close();
  }
}

const hasNews = (slice: Slice) => slice.eof || slice.next_offset > slice.offset || slice.gap !== undefined;

function readOnce(follower: Follower, log: LogReader, from: number, maxBytes = DEFAULT_BYTES): Slice {
  // The exit is looked at first: what was printed before it is in the log by now.
  const { exit } = follower.kept;
  const { offset, data, gap } = log.read(from, Math.min(maxBytes, MAX_BYTES));
  const next = offset + data.length;
  const ended = exit !== null && next >= exit.offset;
  return {
    offset,
    next_offset: next,
    data: data.toString('base64'),
    eof: ended,
    ...(ended && { exit: { exit_code: exit.exit_code, signal: exit.signal, offset: exit.offset, at: exit.at } }),
    ...(gap && { gap: { ...gap, reason: 'The log no longer holds these bytes.' } }),
  };
}

function waitForNews(follower: Follower, read: () => Slice, waitMs: number, signal: AbortSignal): Promise<Slice> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      forget();
      signal.removeEventListener('abort', withdraw);
      settle();
    };
    const look = () => {
      const { closed } = follower;
      if (closed !== undefined) return end(() => reject(closed));
      const slice = read();
      if (hasNews(slice)) end(() => resolve(slice));
    };
    const withdraw = () => end(() => reject(new SwitchyardError('cancelled', 'The caller withdrew the request.')));
    const timer = setTimeout(() => end(() => resolve(read())), waitMs);
    const forget = follower.onGrowth(look);
    signal.addEventListener('abort', withdraw, { once: true });
    if (signal.aborted) withdraw();
    else look();
  });
}
