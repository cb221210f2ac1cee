/** Longer than any path an operating system takes. */
const MAX_PATH = 4096;

/**
 * The directory a shell reports with OSC 7: `file://host/path`, percent-encoded. The host is not compared: terminals of
 * one host know only that host.
 *
 * @returns undefined for anything else
 */
export function directoryOf(data: string): string | undefined {
  const match = /^file:\/\/[^/]*(\/[^?#]*)/.exec(data);
  if (match?.[1] === undefined || match[1].length > MAX_PATH * 3) return undefined;
  try {
    const path = decodeURIComponent(match[1]);
    return path.length <= MAX_PATH && !/[\x00-\x1f\x7f]/.test(path) ? path : undefined;
  } catch {
    // A stray percent sign: some shells do not encode at all.
    return match[1];
  }
}
