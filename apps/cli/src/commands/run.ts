import { randomUUID } from 'node:crypto';
import type { ReconnectingClient } from '@switchyard/client';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { flag, type Run } from '../command.js';
import type { Context } from '../context.js';
import { EXIT, shellStatus } from '../domain/exit-codes.js';
import { QueryFilter } from '../domain/query-filter.js';
import { outputFrom, type Slice, writeAll } from '../output-stream.js';
import { placeOf } from './place.js';
import { programParams } from './program-params.js';

export const run: Run = async (context, command, options) => {
  const client = await context.connectReconnecting();
  const program = {
    ...programParams(command, options),
    ...placeOf(context, options),
    remain_on_exit: true,
    request_id: randomUUID(),
  };
  const { surface_id } = await client.call('surface.create', program, { timeoutMs: context.timeoutMs });
  const interrupts = new Interrupts(client, surface_id, context.timeoutMs);
  try {
    await matchSize(client, surface_id);
    const exit = await show(context, client, surface_id, interrupts.signal);
    if (interrupts.signal.aborted) return EXIT.interrupted;
    return shellStatus(exit?.exit_code ?? null, exit?.signal ?? null);
  } finally {
    interrupts.stop();
    if (!flag(options, 'keep')) await closeSurface(context, client, surface_id);
  }
};

async function show(
  context: Context,
  client: ReconnectingClient,
  surface: string,
  signal: AbortSignal,
): Promise<Slice['exit']> {
  let exit: Slice['exit'];
  // A terminal would answer the questions in it to nobody; a file gets every byte.
  const filter = context.out.toTerminal ? new QueryFilter() : undefined;
  try {
    for await (const slice of outputFrom(client, surface, 0, signal)) {
      if (slice.gap) context.out.note(`\n[${slice.gap.to - slice.gap.from} bytes lost: ${slice.gap.reason}]`);
      const bytes = Buffer.from(slice.data, 'base64');
      await writeAll(process.stdout, filter?.push(bytes) ?? bytes);
      exit = slice.exit;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return exit;
}

/** The output is laid out for the terminal it will be shown in. */
async function matchSize(client: ReconnectingClient, surface_id: string): Promise<void> {
  const { columns: cols, rows } = process.stdout;
  if (process.stdout.isTTY !== true || !cols || !rows) return;
  await client.call('surface.resize', { surface_id, cols, rows }).catch(ignoreExited);
}

async function closeSurface(context: Context, client: ReconnectingClient, surface_id: string): Promise<void> {
  try {
    const closing = { surface_id, now: true, request_id: randomUUID() };
    await client.call('surface.close', closing);
  } catch (error) {
    if (!(error instanceof SwitchyardError)) throw error;
    context.out.note(`switchyard: the terminal could not be closed: ${error.message}`);
  }
}

function ignoreExited(error: unknown): void {
  if (!(error instanceof SwitchyardError) || error.code !== 'terminal_exited') throw error;
}

/** The first interrupt goes to the program, as if it had been typed there; the second ends the command. */
class Interrupts {
  readonly #ended = new AbortController();
  readonly #listener: () => void;
  #count = 0;

  constructor(client: ReconnectingClient, surface_id: string, timeoutMs: number) {
    this.#listener = () => {
      this.#count++;
      if (this.#count > 1) return this.#ended.abort();
      const pressed = { surface_id, key: 'ctrl-c', request_id: randomUUID() };
      client.call('surface.send_key', pressed, { timeoutMs }).catch(() => this.#ended.abort());
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.#listener);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  stop(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.#listener);
  }
}
