const UNITS = ['', 'K', 'M', 'G'];

/** Bytes in four signs: `0`, `812`, `1.2K`, `34M`. */
export function shortBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)}${UNITS[unit]}`;
}
