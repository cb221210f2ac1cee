import type { ReadStream, WriteStream } from 'node:tty';
import type { ReconnectingClient } from '@switchyard/client';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { Attending } from './attending.js';
import { splitAtDetach } from './domain/detach-key.js';
import { QueryFilter } from './domain/query-filter.js';
import { InputPump } from './input-pump.js';
import { outputFrom, type Slice, writeAll } from './output-stream.js';

/** What a terminal must be like again whatever the program did to it: our own, after the snapshot's `restore`. */
const EPILOGUE = [
  '\x1b[?1049l', // main screen
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l', // mouse and focus reports
  '\x1b[?2004l\x1b[?1l\x1b>', // bracketed paste, application keys
  '\x1b[<u', // keyboard protocol
  '\x1b[?7h\x1b[?25h\x1b[0m\x1b(B', // wrap, cursor, colours, character set
  '\x1b[r\x1b[9999H\r\n', // no scroll region; below what was drawn
].join('');
const CLEAR = '\x1b[0m\x1b[r\x1b[H\x1b[2J';
/** Leaving must not hang on a yard that is gone. */
const LEAVE_MS = 2_000;
const CALL_MS = 30_000;

export interface AttachOptions {
  readonly client: ReconnectingClient;
  readonly surface_id: string;
  /** Byte that leaves. */
  readonly detachKey: number;
  readonly input: ReadStream;
  readonly output: WriteStream;
}

export type AttachEnd = { readonly kind: 'detached' } | { readonly kind: 'exited'; readonly how: string };

/**
 * A terminal of the yard shown in this one: its screen first, then its output from exactly there on; what is typed here
 * is typed there. Ends at the detach key, at a signal, or when the program ends.
 */
export class AttachSession {
  readonly #options: AttachOptions;
  readonly #leave = new AbortController();
  readonly #pump: InputPump;
  readonly #attending: Attending;
  #restore = Buffer.alloc(0);

  constructor(options: AttachOptions) {
    this.#options = options;
    this.#attending = new Attending(options.client, options.surface_id);
    this.#pump = new InputPump(options.client, options.surface_id, options.input);
  }

  async run(): Promise<AttachEnd> {
    const { input } = this.#options;
    const undo = this.#listen();
    input.setRawMode(true);
    this.#attending.touched();
    try {
      return await this.#show();
    } finally {
      undo();
      await this.#attending.left();
      await this.#restoreOuter();
      input.setRawMode(false);
      input.pause();
    }
  }

  async #show(): Promise<AttachEnd> {
    const { client, surface_id, output } = this.#options;
    const { signal } = this.#leave;
    let exit: Slice['exit'];
    try {
      await this.#resize();
      const filter = new QueryFilter();
      for await (const slice of outputFrom(client, surface_id, await this.#paint(), signal)) {
        // What is missing cannot be drawn; the screen as it is now can, and later output continues from it.
        if (slice.gap) await this.#paint();
        await writeAll(output, filter.push(Buffer.from(slice.data, 'base64')));
        exit = slice.exit;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return signal.aborted
      ? { kind: 'detached' }
      : { kind: 'exited', how: String(exit?.signal ?? exit?.exit_code ?? 'gone') };
  }

  /** Draws the present screen. @returns the offset of what comes after it */
  async #paint(): Promise<number> {
    const { client, surface_id, output } = this.#options;
    const call = { timeoutMs: CALL_MS, signal: this.#leave.signal };
    const { data, restore, offset } = await client.call('surface.snapshot', { surface_id, scrollback_lines: 0 }, call);
    this.#restore = Buffer.from(restore, 'base64');
    await writeAll(output, Buffer.concat([Buffer.from(CLEAR), Buffer.from(data, 'base64')]));
    return offset;
  }

  #listen(): () => void {
    const { input, output, detachKey } = this.#options;
    const leave = () => this.#leave.abort();
    const typed = (bytes: Buffer) => {
      this.#attending.touched();
      const { input: forProgram, detach } = splitAtDetach(bytes, detachKey);
      this.#pump.push(forProgram);
      if (detach) leave();
    };
    const resized = () => void this.#resize().catch(leave);
    input.on('data', typed);
    output.on('resize', resized);
    const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
    for (const signal of signals) process.on(signal, leave);
    return () => {
      input.off('data', typed);
      output.off('resize', resized);
      for (const signal of signals) process.off(signal, leave);
    };
  }

  /** Here decides the size as long as we are attached. */
  async #resize(): Promise<void> {
    const { client, surface_id, output } = this.#options;
    const { columns: cols, rows } = output;
    await client.call('surface.resize', { surface_id, cols, rows }, { timeoutMs: CALL_MS }).catch(ignoreEnded);
  }

  /** The modes of now are undone, those of the beginning if the yard does not answer; then the size is given back. */
  async #restoreOuter(): Promise<void> {
    const { client, surface_id, output } = this.#options;
    try {
      const snapshot = await client.call(
        'surface.snapshot',
        { surface_id, scrollback_lines: 0 },
        { timeoutMs: LEAVE_MS },
      );
      this.#restore = Buffer.from(snapshot.restore, 'base64');
      await client.call('surface.resize', { surface_id }, { timeoutMs: LEAVE_MS });
    } catch (error) {
      if (!(error instanceof SwitchyardError)) throw error; // the terminal or the yard is gone: our own epilogue must do
    } finally {
      await writeAll(output, Buffer.concat([this.#restore, Buffer.from(EPILOGUE)]));
    }
  }
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof SwitchyardError) || !['terminal_exited', 'not_found'].includes(error.code)) throw error;
}
