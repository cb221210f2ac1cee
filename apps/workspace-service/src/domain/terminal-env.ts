import type { Id } from './entities.js';
import { formatRef } from './handles.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What every terminal of the yard is told. */
export interface YardFacts {
  /** The user's environment as the service found it. */
  readonly base: Env;
  /** null: on a machine that has none. */
  readonly socket: string | null;
  readonly yard: string;
  readonly version: string;
  /** Folder that holds our command, put first on PATH; null if there is none. */
  readonly cliFolder: string | null;
  /** Also set the peer's names (setting `compat.programa`). */
  readonly compat: boolean;
}

/** Which terminal it is. */
export interface TerminalFacts {
  readonly surfaceId: Id;
  readonly surfaceRef: number;
  readonly paneId: Id;
  readonly workspaceId: Id;
  readonly workspaceRef: number;
  /** What the caller asked for; it cannot override what is set here. */
  readonly given: Readonly<Record<string, string>>;
}

/** Where a command inside the terminal finds this yard's folders, if the user moved them. */
const KEPT = new Set(['SWITCHYARD_STATE_DIR', 'SWITCHYARD_RUNTIME_DIR', 'SWITCHYARD_CONFIG_DIR', 'SWITCHYARD_COMPAT']);
/** They describe the terminal that started the yard, not the new one. */
const FOREIGN = new Set(['TMUX', 'TMUX_PANE', 'COLUMNS', 'LINES', 'INIT_CWD']);
/** The peer gives each workspace a block of ports by its number. */
const PORT_BASE = 9100;
const PORT_RANGE = 10;
const PORT_MAX = 65_535;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The environment of a new terminal (programa-api §6.6): the user's, what the caller gave, and ours on top. */
export function terminalEnv(yard: YardFacts, terminal: TerminalFacts): Record<string, string> {
  const env: Record<string, string> = { ...inherited(yard), ...terminal.given };
  return { ...env, ...managed(yard, terminal, env['PATH'] || DEFAULT_PATH) };
}

function inherited(yard: YardFacts): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(yard.base)) {
    if (value !== undefined && isInherited(name, yard.compat)) env[name] = value;
  }
  return env;
}

function isInherited(name: string, compat: boolean): boolean {
  if (name.startsWith('SWITCHYARD_')) return KEPT.has(name);
  if (compat && name.startsWith('PROGRAMA_')) return false;
  // `npm start` leaves its own settings behind, which would change what npm does inside the terminal.
  return !FOREIGN.has(name) && !name.startsWith('npm_');
}

function managed(yard: YardFacts, terminal: TerminalFacts, path: string): Record<string, string> {
  return {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'switchyard',
    TERM_PROGRAM_VERSION: yard.version,
    PATH: yard.cliFolder === null ? path : `${yard.cliFolder}:${path}`,
    ...(yard.socket === null ? {} : { SWITCHYARD_SOCKET: yard.socket }),
    SWITCHYARD_YARD: yard.yard,
    SWITCHYARD_WORKSPACE_ID: terminal.workspaceId,
    SWITCHYARD_PANE_ID: terminal.paneId,
    SWITCHYARD_SURFACE_ID: terminal.surfaceId,
    SWITCHYARD_SURFACE_REF: formatRef('surface', terminal.surfaceRef),
    ...(yard.compat && yard.socket !== null ? programaNames(yard.socket, terminal) : {}),
  };
}

/** In these TAB means the workspace, unlike on the wire. */
function programaNames(socket: string, terminal: TerminalFacts): Record<string, string> {
  const blocks = Math.floor((PORT_MAX - PORT_BASE) / PORT_RANGE);
  const port = PORT_BASE + ((terminal.workspaceRef - 1) % blocks) * PORT_RANGE;
  return {
    PROGRAMA_SOCKET: socket,
    PROGRAMA_SOCKET_PATH: socket,
    PROGRAMA_WORKSPACE_ID: terminal.workspaceId,
    PROGRAMA_TAB_ID: terminal.workspaceId,
    PROGRAMA_SURFACE_ID: terminal.surfaceId,
    PROGRAMA_PANEL_ID: terminal.surfaceId,
    PROGRAMA_PORT: String(port),
    PROGRAMA_PORT_END: String(port + PORT_RANGE - 1),
    PROGRAMA_PORT_RANGE: String(PORT_RANGE),
  };
}
