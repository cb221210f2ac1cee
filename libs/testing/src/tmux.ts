import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Why tests with a real tmux cannot run here; undefined when they can. */
export function tmuxMissing(): string | undefined {
  const { stdout, error } = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (error !== undefined) return 'tmux is not installed';
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) * 100 + Number(minor) >= 302 ? undefined : `${stdout.trim()} is older than 3.2`;
}

/** A tmux server of its own. */
export interface TmuxServer {
  readonly socket: string;
  /** Runs one tmux command. @returns what it printed */
  run(...args: string[]): string;
  stop(): void;
}

/** @param folder for its socket, short enough for one */
export function startTmux(folder: string, ...program: string[]): TmuxServer {
  const socket = join(folder, 'tmux.sock');
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
  const run = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...env, LANG: 'C.UTF-8' },
    });
  run('-u', 'new-session', '-d', '-x', '90', '-y', '20', '-s', 'main', ...program);
  return {
    socket,
    run,
    stop: () => {
      spawnSync('tmux', ['-S', socket, 'kill-server']);
    },
  };
}
