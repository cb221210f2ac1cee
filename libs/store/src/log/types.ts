/** How a program in a terminal ended. */
export interface ExitRecord {
  /** null when a signal ended it, or when nobody saw it end. */
  readonly exit_code: number | null;
  /** e.g. `SIGTERM`; null after a normal exit. */
  readonly signal: string | null;
  /** Offset of the end of its output. */
  readonly offset: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** `lost`: the keeper that owned the terminal died with it, so the real status is unknown. */
  readonly reason: 'exited' | 'lost';
}

/** What was started in a terminal; rewritten on a respawn. Never holds the environment: it carries secrets. */
export interface LogMeta {
  readonly surface_id: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  /** Unix milliseconds of the start of the present program. */
  readonly started_at: number;
  /** Offset of its first byte. */
  readonly started_offset: number;
  readonly cols: number;
  readonly rows: number;
}

/** From `offset` on, output was produced for a terminal of this size. */
export interface JournalEntry {
  readonly kind: 'spawn' | 'resize';
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
}

/** Bytes [from, to) are gone. */
export interface LogGap {
  readonly from: number;
  readonly to: number;
}

export interface LogSlice {
  /** Offset of the first byte of `data`: the one asked for, or the end of the gap. */
  readonly offset: number;
  /** Empty at the end of the log. */
  readonly data: Buffer;
  readonly gap?: LogGap;
}
