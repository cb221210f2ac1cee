import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ServiceEnv, Settings } from '@switchyard/config';
import type { CellSize } from './domain/entities.js';
import type { NewWorkspacePlace } from './domain/placement.js';
import type { RestorePolicy } from './domain/start-again.js';
import type { YardFacts } from './domain/terminal-env.js';

/** The peer's limit, kept with its wire (programa-api decision 3). */
const PROGRAMA_PANE_CAP = 4;

/** What this service takes from its description and its environment. The settings in it can be read again. */
export interface Config {
  readonly host: string;
  /** pty-hosts that share the surfaces of the host. */
  readonly shards: number;
  readonly socketPath: string;
  readonly configFile: string;
  readonly stateDir: string;
  /** Where layouts are kept, one file each. */
  readonly layoutFolder: string;
  readonly home: string;
  readonly rules: Rules;
  readonly facts: YardFacts;
}

/** The settings that decide how the model behaves. */
export interface Rules {
  readonly cells: CellSize;
  readonly paneCap: number;
  readonly compat: boolean;
  readonly newWorkspace: NewWorkspacePlace;
  readonly closeUndoMs: number;
  /** Entries that the log beside a workspace keeps. */
  readonly logEntries: number;
  /** What is started again by itself of what ended with the yard. */
  readonly restore: RestorePolicy;
  /** Program of a plain terminal. */
  readonly shell: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function rulesOf(settings: Settings, env: Env): Rules {
  const { layout, terminal, compat, sidebar, restore } = settings;
  return {
    cells: { cols: layout.columns, rows: layout.rows },
    paneCap: compat.programa ? Math.min(PROGRAMA_PANE_CAP, layout.pane_cap) : layout.pane_cap,
    compat: compat.programa,
    newWorkspace: layout.new_workspace as NewWorkspacePlace,
    closeUndoMs: terminal.close_undo_ms,
    logEntries: sidebar.log_entries,
    restore: restore.policy,
    shell: terminal.shell || env['SHELL'] || '/bin/sh',
  };
}

/**
 * @param env the user's environment, which terminals inherit
 * @param cliFolder folder with our command, or null
 * @param version of this yard
 */
export function configOf(service: ServiceEnv, env: Env, cliFolder: string | null, version: string): Config {
  const { paths, settings } = service;
  return {
    host: service.host,
    shards: settings.services.pty_hosts,
    socketPath: paths.gatewaySocket,
    configFile: paths.configFile,
    stateDir: paths.stateDir,
    layoutFolder: join(dirname(paths.configFile), 'layouts'),
    home: env['HOME'] || homedir(),
    rules: rulesOf(settings, env),
    facts: {
      base: { ...env },
      socket: paths.gatewaySocket,
      yard: paths.yard,
      version,
      cliFolder,
      compat: settings.compat.programa,
    },
  };
}
