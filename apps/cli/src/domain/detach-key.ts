const DEFAULT = 'ctrl-]';

/**
 * The byte that a control key sends.
 *
 * @param name `ctrl-]`, `ctrl-a`, `^]`; default `ctrl-]`, which hardly any program uses
 * @returns undefined when it names no control key
 */
export function detachByte(name: string = DEFAULT): number | undefined {
  const key = /^(?:ctrl[-+]|\^)([a-z@[\\\]^_])$/i.exec(name)?.[1];
  return key === undefined ? undefined : key.toUpperCase().charCodeAt(0) & 0x1f;
}

/**
 * Looks for the detach key in what was typed.
 *
 * @returns what belongs to the program, and whether to detach after it
 */
export function splitAtDetach(typed: Buffer, key: number): { input: Buffer; detach: boolean } {
  const at = typed.indexOf(key);
  return at === -1 ? { input: typed, detach: false } : { input: typed.subarray(0, at), detach: true };
}
