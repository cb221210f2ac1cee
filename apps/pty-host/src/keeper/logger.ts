/** Fields and a message, or a message alone: the form of the library that the other processes use. */
type Write = (fieldsOrMessage: unknown, message?: unknown) => void;

export interface KeeperLog {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'];

/**
 * JSON lines in the form of the other processes' logs, without their library: the keeper has one dependency.
 * @param out where a line goes, usually standard error
 */
export function keeperLog(name: string, level: string, out: (line: string) => void): KeeperLog {
  const lowest = Math.max(0, LEVELS.indexOf(level));
  const at = (index: number): Write => {
    if (index < lowest) return () => undefined;
    const fixed = { level: (index + 1) * 10, pid: process.pid, name };
    return (first, message) => {
      const fields = typeof first === 'string' ? { msg: first } : { ...Object(first), msg: message };
      out(`${JSON.stringify({ ...fixed, time: Date.now(), ...fields })}\n`);
    };
  };
  return { debug: at(1), info: at(2), warn: at(3), error: at(4) };
}

/** Stands for lines that a full disk did not take. */
export function lostLine(name: string, lines: number): string {
  const msg = 'the disk was full: lines of this log are lost here';
  return `${JSON.stringify({ level: 40, pid: process.pid, name, time: Date.now(), lines, msg })}\n`;
}
