import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux allows 107 bytes in a unix socket path, macOS 103; the longest name of ours is added to the folder. */
const SOCKET_PATH_LIMIT = 103;
const GUEST_SOCKET = join('guest', 'gateway.sock');
/** A socket is bound under such a name first, with the id of its process. */
const LONGEST_SOCKET_NAME = join('guest', '.4194304.sock');

type Env = Record<string, string | undefined>;

/** Where one yard keeps its things. Pure: reads nothing but its arguments. */
export interface YardPaths {
  readonly yard: string;
  /** Sockets, tokens, process table: private, gone after a reboot. */
  readonly runtimeDir: string;
  /** Databases, byte logs, service logs: survives. */
  readonly stateDir: string;
  readonly configDir: string;
  readonly configFile: string;
  /** What clients connect to. */
  readonly gatewaySocket: string;
  /** The same for sandboxed programs: alone in its folder, which is what a sandbox mounts. */
  readonly guestSocket: string;
  readonly keeperSocket: string;
  readonly supervisorSocket: string;
  /** `{url, token}` of the bus, mode 0600. */
  readonly busFile: string;
  readonly processFile: string;
  readonly logDir: string;
}

/**
 * @param env the environment, of which SWITCHYARD_YARD, _SOCKET, _RUNTIME_DIR, _STATE_DIR, _CONFIG_DIR and the XDG
 *   folders are read
 * @param uid of the user, part of the fall-back runtime folder
 */
export function yardPaths(env: Env, uid: number, given: { yard?: string; socket?: string } = {}): YardPaths {
  const home = env['HOME'] || homedir();
  const yard = given.yard || env['SWITCHYARD_YARD'] || 'main';
  const runtimeBase =
    env['SWITCHYARD_RUNTIME_DIR'] ||
    (env['XDG_RUNTIME_DIR'] ? join(env['XDG_RUNTIME_DIR'], 'switchyard') : join(tmpdir(), `switchyard-${uid}`));
  const stateBase =
    env['SWITCHYARD_STATE_DIR'] || join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'switchyard');
  const configDir = env['SWITCHYARD_CONFIG_DIR'] || join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'switchyard');
  const runtimeDir = shortEnough(join(runtimeBase, yard), uid);
  const stateDir = join(stateBase, yard);
  return {
    yard,
    runtimeDir,
    stateDir,
    configDir,
    configFile: join(configDir, 'config.toml'),
    // A yard asked for by name is not the one whose terminal the caller happens to run in.
    gatewaySocket: given.socket || (!given.yard && env['SWITCHYARD_SOCKET']) || join(runtimeDir, 'gateway.sock'),
    guestSocket: join(runtimeDir, GUEST_SOCKET),
    keeperSocket: join(runtimeDir, 'keeper.sock'),
    supervisorSocket: join(runtimeDir, 'supervisor.sock'),
    busFile: join(runtimeDir, 'bus.json'),
    processFile: join(runtimeDir, 'processes.json'),
    logDir: join(stateDir, 'logs'),
  };
}

/** A folder too deep for a socket path is replaced by a short one of the same identity under /tmp. */
function shortEnough(dir: string, uid: number): string {
  if (Buffer.byteLength(join(dir, LONGEST_SOCKET_NAME)) <= SOCKET_PATH_LIMIT) return dir;
  return join('/tmp', `sy-${uid}-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`);
}
