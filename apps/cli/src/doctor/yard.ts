import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { YardPaths } from '@switchyard/config';
import { loadSettings } from '@switchyard/config/load';
import {
  checkPrivateDir,
  chooseBroker,
  findNatsServer,
  leftoversOf,
  leftRunning,
  lockFileOf,
  yardHolder,
} from '@switchyard/supervisor';
import { type Finding, fault, hint, messageOf, ok } from './check.js';
import { checkLock, checkStaleSockets } from './leftovers.js';
import { listens } from './listens.js';
import { checkYard } from './running.js';

/** What unix sockets allow: 107 bytes on Linux, 103 on macOS. */
const LONGEST_SOCKET_PATH = 103;

export function checkSettings(paths: YardPaths, env: NodeJS.ProcessEnv): Finding[] {
  try {
    const settings = loadSettings(paths.configFile, env);
    const read = existsSync(paths.configFile) ? paths.configFile : `${paths.configFile} (not there: all defaults)`;
    return [ok('settings', read), checkBroker(settings.bus.broker, env)];
  } catch (error) {
    return [fault('settings', messageOf(error), 'correct the file; docs/settings.md lists every key')];
  }
}

function checkBroker(wanted: string, env: NodeJS.ProcessEnv): Finding {
  const natsServer = findNatsServer(env['PATH']);
  try {
    const { kind } = chooseBroker(wanted, natsServer);
    return ok('broker', kind === 'nats-server' ? `nats-server (${natsServer})` : kind);
  } catch (error) {
    return fault('broker', messageOf(error), 'set bus.broker, or install nats-server');
  }
}

export function checkRuntimeDir({ runtimeDir, gatewaySocket }: YardPaths): Finding[] {
  const bytes = Buffer.byteLength(gatewaySocket);
  const length =
    bytes > LONGEST_SOCKET_PATH
      ? fault(
          'socket path',
          `${gatewaySocket} has ${bytes} bytes`,
          `at most ${LONGEST_SOCKET_PATH}: choose another --socket`,
        )
      : ok('socket path', gatewaySocket);
  if (!existsSync(runtimeDir)) return [length, ok('runtime folder', `${runtimeDir} (made when the yard starts)`)];
  try {
    checkPrivateDir(runtimeDir, userInfo().uid);
    return [length, ok('runtime folder', `${runtimeDir} is private`)];
  } catch (error) {
    return [length, fault('runtime folder', messageOf(error), 'correct it, or choose another SWITCHYARD_RUNTIME_DIR')];
  }
}

export async function checkRunning(paths: YardPaths, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const supervisor = yardHolder(lockFileOf(paths));
  if (supervisor === undefined) return [...checkLeft(paths), checkLock(paths), ...(await checkStaleSockets(paths))];
  const ownDoor = await checkListens('supervisor', paths.supervisorSocket);
  if (isClosed(paths, env)) return [ownDoor, ok('gateway', 'lets nobody in: gateway.access_mode is off')];
  const door = await checkListens('gateway', paths.gatewaySocket);
  return [ownDoor, door, checkLock(paths), ...(await checkYard(paths))];
}

async function checkListens(name: string, path: string): Promise<Finding> {
  if (await listens(path)) return ok(name, `answers at ${path}`);
  return fault(name, `does not answer at ${path}`, `look with: switchyard status; switchyard logs ${name}`);
}

function isClosed(paths: YardPaths, env: NodeJS.ProcessEnv): boolean {
  try {
    return loadSettings(paths.configFile, env).gateway.access_mode === 'off';
  } catch {
    return false; // What is wrong with the settings is a finding of its own.
  }
}

/** Without a supervisor nothing of the yard should run. */
function checkLeft(paths: YardPaths): Finding[] {
  const records = leftRunning(paths)?.records ?? [];
  const left = records.length === 0 ? leftoversOf(paths.gatewaySocket) : [];
  const names = records.map(({ name, pid }) => `${name} (${pid})`).join(', ');
  if (names !== '') {
    return [
      fault(
        'processes',
        `run without a supervisor: ${names}`,
        'take them over with switchyard up, or end them with switchyard down',
      ),
    ];
  }
  if (left.length > 0) {
    const programs = left.map(({ pid, command }) => `${pid} ${command}`).join(', ');
    return [
      hint('processes', `started in terminals of an earlier run: ${programs}`, 'end them if they are not wanted'),
    ];
  }
  return [ok('processes', 'the yard is not running')];
}
