/** What one look found. */
export interface Finding {
  readonly what: string;
  /** `fault` keeps the yard from working; `hint` is worth knowing. */
  readonly level: 'ok' | 'hint' | 'fault';
  readonly detail: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export const ok = (what: string, detail: string): Finding => ({ what, level: 'ok', detail });
export const hint = (what: string, detail: string, remedy: string): Finding => ({
  what,
  level: 'hint',
  detail,
  remedy,
});
export const fault = (what: string, detail: string, remedy: string): Finding => ({
  what,
  level: 'fault',
  detail,
  remedy,
});

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
