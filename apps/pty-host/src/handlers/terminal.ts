import type { HandlerContext } from '@switchyard/bus';
import { fail, type Handlers, type Params, type Result } from '@switchyard/protocol';
import { compilePattern } from '../domain/pattern.js';
import type { Follower } from '../follower.js';
import { type Foreground, workingDirectory } from '../foreground/index.js';
import type { KeptTerminal } from '../keeper/index.js';
import type { KeeperLink } from '../keeper-link.js';
import { readOutput } from '../output-reader.js';
import type { PortWatch } from '../port-watch.js';
import { sampleOf } from '../sampling.js';
import { statusShape } from '../status-shape.js';
import type { Surfaces } from '../surfaces.js';
import { usageOf } from '../usage.js';
import { inputHandlers } from './input.js';

export interface TerminalDeps {
  readonly surfaces: Surfaces;
  readonly keeper: KeeperLink;
  readonly foreground: Foreground;
  readonly ports: PortWatch;
  readonly logRoot: string;
  /** How long the keeper may take to end a terminal's processes. */
  readonly closeMs: number;
}

/** A snapshot is one reply: this many coloured lines stay below the largest. */
const MAX_SNAPSHOT_SCROLLBACK = 100_000;

/** Everything the pty-host answers. Ids are canonical; the workspace-service has resolved every handle. */
export function terminalHandlers(deps: TerminalDeps): Handlers<'pty-host', HandlerContext> {
  const { surfaces, keeper } = deps;
  const isLivingHere = (kept: KeptTerminal) => kept.exit === null && surfaces.isOurs(kept.surface_id);
  return {
    ...inputHandlers(surfaces, keeper),

    'terminal.open': async (params, ctx) => {
      if (!surfaces.isOurs(params.surface_id)) fail('invalid_params', 'Another pty-host follows this surface.');
      const { pid, tty, offset } = await keeper.call('spawn', params, { signal: ctx.signal });
      return { pid, tty, offset };
    },
    'terminal.close': async ({ surface_id, kill_survivors = false }, ctx) => {
      // The keeper decides whether there is one: its start may be on the way to it, ahead of this.
      const options = { signal: ctx.signal, timeoutMs: deps.closeMs };
      const { exit, survivors } = await keeper.call('close', { surface_id, kill_survivors }, options);
      return { exit, survivors: [...survivors] };
    },
    'terminal.forget': ({ surface_id }, ctx) => keeper.call('forget', { surface_id }, { signal: ctx.signal }),
    'terminal.resize': async ({ surface_id, cols, rows }, ctx) => {
      surfaces.get(surface_id);
      const size = await keeper.call('resize', { surface_id, cols, rows }, { signal: ctx.signal });
      return { cols: size.cols, rows: size.rows };
    },
    'terminal.list': () => ({ terminals: surfaces.all.map((follower) => status(follower, deps.ports)) }),
    'terminal.get': ({ surface_id }) => status(surfaces.get(surface_id), deps.ports),
    'terminal.usage': async (_params, ctx) => ({
      terminals: usageOf((await keeper.call('list', {}, { signal: ctx.signal })).terminals.filter(isLivingHere)),
    }),
    'terminal.directory': ({ surface_id }) => {
      const { pid } = running(surfaces, surface_id);
      const asked = deps.foreground.of(surface_id, pid)?.pid ?? pid;
      const { path, exists } = workingDirectory(asked) ?? { path: null, exists: null };
      return { pid: asked, path, exists };
    },

    'terminal.ports': async ({ surface_id, later = false }) => {
      running(surfaces, surface_id);
      if (later) deps.ports.sign();
      else await lookAt(deps.ports);
      return { ports: [...(deps.ports.of(surface_id) ?? [])] };
    },

    'terminal.read_text': async ({ surface_id, scrollback, lines }, ctx) => {
      const follower = surfaces.get(surface_id);
      const screen = await follower.caughtUp(ctx.signal);
      const whole = scrollback || lines !== undefined;
      const text = whole ? screen.historyText(lines ?? Number.POSITIVE_INFINITY) : screen.visibleText();
      return { text, offset: follower.parsed, rev: screen.rev, cols: screen.cols, rows: screen.rows };
    },
    'terminal.read_output': (params, ctx) =>
      readOutput(surfaces.get(params.surface_id), params, deps.logRoot, ctx.signal),
    'terminal.snapshot': async ({ surface_id, scrollback_lines }, ctx) => {
      const lines = Math.min(scrollback_lines ?? MAX_SNAPSHOT_SCROLLBACK, MAX_SNAPSHOT_SCROLLBACK);
      const { paint, restore, ...facts } = await surfaces.get(surface_id).snapshot(lines, ctx.signal);
      return { ...facts, data: base64(paint), restore: base64(restore) };
    },
    'terminal.sample': async ({ surface_id }, ctx) => {
      const follower = surfaces.get(surface_id);
      return sampleOf(follower, await follower.caughtUp(ctx.signal), deps.foreground);
    },
    'terminal.status_records': async ({ surface_id }, ctx) =>
      statusShape((await surfaces.get(surface_id).caughtUp(ctx.signal)).voice),
    'terminal.clear_history': async ({ surface_id }, ctx) => {
      return { offset: await surfaces.get(surface_id).clearHistory(ctx.signal) };
    },
    'terminal.wait': (params, ctx) => wait(surfaces.get(params.surface_id), params, ctx),
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** @throws `unavailable` when the system does not tell */
async function lookAt(ports: PortWatch): Promise<void> {
  try {
    await ports.look();
  } catch (error) {
    fail('unavailable', 'The system does not tell on which ports programs listen.', { reason: String(error) });
  }
}

/** @throws `terminal_exited`, `not_found` */
function running(surfaces: Surfaces, surface_id: string): Follower['kept'] {
  const { kept } = surfaces.get(surface_id);
  if (kept.exit !== null) fail('terminal_exited', 'The program of this terminal has ended.', { surface_id });
  return kept;
}

function status(follower: Follower, ports: PortWatch): Result<'terminal.get'> {
  const { surface_id, pid, cols, rows, offset, tty } = follower.kept;
  const { names, exit, parsed } = follower;
  const found = exit === null ? ports.of(surface_id) : null;
  return {
    surface_id,
    pid,
    cols,
    rows,
    offset: Math.max(offset, parsed),
    ...names,
    tty,
    exit,
    ports: found && [...found],
  };
}

async function wait(
  follower: Follower,
  params: Params<'terminal.wait'>,
  ctx: HandlerContext,
): Promise<Result<'terminal.wait'>> {
  const { pattern: source, lines, timeout_ms: timeoutMs } = params;
  const request = {
    timeoutMs,
    leftMs: Math.min(timeoutMs, Math.max(0, Math.ceil(ctx.deadline - performance.now()))),
    signal: ctx.signal,
  };
  if (source !== undefined && params.exit === undefined) {
    const pattern = compilePattern(source) ?? fail('invalid_params', 'The pattern is not valid.', { pattern: source });
    const screen = await follower.caughtUp(ctx.signal);
    return follower.waits.forPattern(screen, follower.parsed, { ...request, pattern: { pattern, source, lines } });
  }
  if (params.exit === undefined || source !== undefined)
    fail('invalid_params', 'Give exactly one of pattern and exit.');
  await follower.caughtUp(ctx.signal);
  const { exit } = follower;
  return exit === null ? follower.waits.forExit(request) : { waited: false, exit, offset: exit.offset };
}
