import { join } from 'node:path';

/**
 * Where the keeper writes and the pty-hosts read the byte logs of a host.
 * @param place `state` survives a reboot; `runtime` is memory only (settings `terminal.log_place`)
 */
export function logRootOf(
  paths: { readonly stateDir: string; readonly runtimeDir: string },
  place: 'state' | 'runtime',
): string {
  return join(place === 'runtime' ? paths.runtimeDir : paths.stateDir, 'terminals');
}
