import { readFileSync } from 'node:fs';

const VARIABLE = 'SWITCHYARD_SURFACE_ID=';
const ID = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

/**
 * The surface that a process was started in, by the environment it was started with. A process can choose its own, so
 * this is told to people and never decides what is allowed.
 *
 * @returns null where it does not say, or the system does not let us look (macOS)
 */
export function surfaceOfProcess(pid: number): string | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const value = variables.find((variable) => variable.startsWith(VARIABLE))?.slice(VARIABLE.length) ?? '';
    return ID.test(value) ? value : null;
  } catch {
    // It has ended, belongs to somebody else, or there is no /proc: nothing is known.
    return null;
  }
}
