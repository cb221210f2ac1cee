const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** The longest time Node can wait with one timer. */
const LONGEST_MS = 2_147_483_647;

/**
 * Reads a time a person wrote: `500ms`, `10s`, `1.5m`, `2h`; a bare number counts seconds.
 *
 * @returns milliseconds, undefined when it is none
 */
export function parseDuration(text: string): number | undefined {
  const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === '') return undefined;
  const ms = Math.round(Number(amount) * (UNITS[unit] ?? 0));
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined;
}

/** The two largest units: `3d 4h`, `12m 5s`, `0.4s`. */
export function showDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return `${(ms / 1000).toFixed(1)}s`;
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(' ');
}

export function showBytes(bytes: number): string {
  const mib = bytes / (1024 * 1024);
  return `${mib < 10 ? mib.toFixed(1) : Math.round(mib)} MiB`;
}
