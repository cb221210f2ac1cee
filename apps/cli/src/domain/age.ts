const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in its largest unit: `8s`, `12m`, `3h`, `2d`. */
export function ageText(ms: number): string {
  const past = Math.max(0, ms);
  if (past < MINUTE) return `${Math.floor(past / SECOND)}s`;
  if (past < HOUR) return `${Math.floor(past / MINUTE)}m`;
  return past < DAY ? `${Math.floor(past / HOUR)}h` : `${Math.floor(past / DAY)}d`;
}
