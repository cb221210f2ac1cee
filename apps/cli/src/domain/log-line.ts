const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
/** Told by the rest of the line, or the same in each. */
const KNOWN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg']);

/**
 * A line of a process's log as a person reads it: time, level, process, message, facts.
 *
 * @param process that wrote it
 * @param line JSON of ours, or whatever else a program printed: that stays as it is
 */
export function logLine(process: string, line: string): string {
  const entry = parse(line);
  if (entry === undefined) return `${process}: ${line}`;
  const time = new Date(Number(entry['time'])).toISOString().slice(11, 23);
  const level = (LEVELS[Number(entry['level'])] ?? '').padEnd(5);
  const facts = Object.entries(entry)
    .filter(([name]) => !KNOWN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [time, level, `${process}:`, String(entry['msg'] ?? ''), ...facts].join(' ').trimEnd();
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    return Number.isFinite(entry['time']) ? entry : undefined;
  } catch {
    return undefined; // a program's own output
  }
}
