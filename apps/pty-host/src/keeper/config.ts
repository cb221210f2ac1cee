import { join } from 'node:path';
import type { ServiceEnv } from '@switchyard/config';
import type { KeeperConfig } from './keeper.js';

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

/** What of a yard's settings is the keeper's. */
export function keeperConfig({ paths, settings: { terminal } }: ServiceEnv): KeeperConfig {
  return {
    socket: paths.keeperSocket,
    logRoot: logRootOf(paths, terminal.log_place),
    budgetBytes: terminal.log_budget_bytes,
    poolBytes: terminal.all_logs_budget_bytes,
    inputQueueBytes: terminal.input_queue_bytes,
    hangupGraceMs: terminal.hangup_grace_ms,
    termGraceMs: terminal.term_grace_ms,
  };
}
