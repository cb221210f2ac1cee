import type { ErrorCode } from '@switchyard/protocol';
import type { ExitRecord } from '@switchyard/store/log';
import type { LastHandoff } from './handoff/inheritance.js';

/**
 * What the keeper and its followers say to each other: newline-delimited JSON on a unix socket (0600).
 * Request `{id, op, ...params}` → `{id, ok: true, result}` or `{id, ok: false, error}`; pushed lines have `ev`.
 * A keeper outlives upgrades of everything around it, so a change here must stay readable by version - 1.
 */
export const KEEPER_PROTOCOL_VERSION = 2;
/** 1: the keeper cannot hand over, and its followers do not know that it does. */
export const OLDEST_KEEPER_PROTOCOL = 1;

/** One terminal as the keeper knows it. */
export interface KeptTerminal {
  readonly surface_id: string;
  /** Process id of the program; of the last one after its exit. */
  readonly pid: number;
  /** Path of the slave device, or null once it is released. */
  readonly tty: string | null;
  readonly cols: number;
  readonly rows: number;
  /** Bytes ever produced. */
  readonly offset: number;
  /** Everything before it was parsed by a follower, whose terminal has answered the program's questions. */
  readonly acked: number;
  /** Offset at which the present program was started (0 unless respawned). */
  readonly started_offset: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  /**
   * Bytes the program has not read yet; how often it did not read, and how often the queue was full; bytes it has read,
   * which a keeper from before there was `system.top` does not tell.
   */
  readonly input: {
    readonly queued: number;
    readonly stalls: number;
    readonly overflows: number;
    readonly taken?: number;
  };
  readonly exit: ExitRecord | null;
  /** Why the disk does not take its output (`ENOSPC` …), so that the program waits; absent while it does. */
  readonly blocked?: string;
}

/** A process that left the terminal's session and lives on. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

interface OfSurface {
  readonly surface_id: string;
}

/** Every operation with its parameters and its result. */
export interface KeeperOps {
  /** First on a connection. A version the keeper does not speak is refused with `version_mismatch`. */
  hello: {
    params: { readonly version: number; readonly follower: string };
    result: {
      readonly version: number;
      readonly pid: number;
      readonly terminals: readonly KeptTerminal[];
      /** Version of the installation it runs from, since version 2. */
      readonly software?: string;
      /** How this keeper came to its terminals, when it was by a handoff. */
      readonly handoff?: LastHandoff | null;
    };
  };
  /**
   * Starts a program. A surface that lives answers as it is (`existed`); one that has exited is started again
   * and its log goes on: offsets keep rising.
   * Errors: invalid_params, directory_not_found, command_not_found, overloaded.
   */
  spawn: {
    params: OfSurface & {
      readonly argv: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly cols: number;
      readonly rows: number;
    };
    result: { readonly pid: number; readonly tty: string | null; readonly offset: number; readonly existed: boolean };
  };
  /**
   * Queues bytes for the program. `bytes` were taken; `queued` are still waiting for it to read, after this call.
   * A repeated `input_id` answers as the first time and types nothing. Errors: not_found, terminal_exited, input_overflow.
   */
  input: {
    params: OfSurface & { readonly data: string; readonly input_id?: string };
    result: { readonly bytes: number; readonly queued: number; readonly offset: number };
  };
  /** Errors: not_found, terminal_exited, invalid_params. `offset` is where output of the new size begins. */
  resize: {
    params: OfSurface & { readonly cols: number; readonly rows: number };
    result: { readonly cols: number; readonly rows: number; readonly offset: number };
  };
  /** HUP, TERM, KILL; answers when the session is gone. An exited terminal answers its exit. Errors: not_found. */
  close: {
    params: OfSurface & { readonly kill_survivors?: boolean };
    result: { readonly exit: ExitRecord | null; readonly survivors: readonly Survivor[] };
  };
  /** Removes the log of an exited terminal. Unknown: `forgotten: false`. Errors: invalid_state while it lives. */
  forget: { params: OfSurface; result: { readonly forgotten: boolean } };
  list: { params: Record<never, never>; result: { readonly terminals: readonly KeptTerminal[] } };
  /**
   * This connection wants the events of every surface whose `shardOf(surface_id, shards)` is `shard`.
   * Answers those surfaces, so that nothing falls between the list and the first event.
   */
  follow: {
    params: { readonly shard: number; readonly shards: number };
    result: { readonly terminals: readonly KeptTerminal[] };
  };
  /**
   * The keeper of another installation goes on in this process, with everything. Is answered only when that fails, and
   * then nothing has changed; else the connection ends and `hello` of the next one tells the outcome.
   * Errors: version_mismatch (it cannot take over), invalid_state (not at this moment). Since version 2.
   */
  handoff: { params: { readonly node: string; readonly main: string }; result: never };
  /** Everything below `offset` is parsed and may leave the log. Unknown surfaces are ignored: `known: false`. */
  ack: { params: OfSurface & { readonly offset: number }; result: { readonly known: boolean } };
}

export type KeeperOp = keyof KeeperOps;
export type KeeperParams<O extends KeeperOp> = KeeperOps[O]['params'];
export type KeeperResult<O extends KeeperOp> = KeeperOps[O]['result'];

/** Pushed to followers of the surface's shard. Marks, not data: what is new is read from the log. */
export type KeeperEvent =
  /** Offsets after the newest output; merged per turn of the keeper's loop, and while a follower does not read. */
  | { readonly ev: 'output'; readonly at: Readonly<Record<string, number>> }
  /** After the last byte; `exit.offset` is the end of the log. */
  | { readonly ev: 'exit'; readonly surface_id: string; readonly exit: ExitRecord }
  | { readonly ev: 'spawned'; readonly terminal: KeptTerminal }
  | {
      readonly ev: 'resized';
      readonly surface_id: string;
      readonly cols: number;
      readonly rows: number;
      readonly offset: number;
    }
  | { readonly ev: 'forgotten'; readonly surface_id: string }
  /** The disk does not take its output, and its program waits; null: it does again. */
  | { readonly ev: 'blocked'; readonly surface_id: string; readonly reason: string | null }
  /** Send nothing more and end your side: what you have sent is answered, then connect again. Since version 2. */
  | { readonly ev: 'handoff' };

export interface KeeperError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type KeeperRequest = { [O in KeeperOp]: { readonly id: number; readonly op: O } & KeeperParams<O> }[KeeperOp];

export type KeeperReply =
  | { readonly id: number | null; readonly ok: true; readonly result: unknown }
  | { readonly id: number | null; readonly ok: false; readonly error: KeeperError };
