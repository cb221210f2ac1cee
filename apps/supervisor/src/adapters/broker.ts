import { randomBytes, randomInt } from 'node:crypto';
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { YardPaths } from '@switchyard/config';
import type { BusAddress } from '@switchyard/service/bus-file';
import type { BrokerChoice } from '../domain/choose-broker.js';
import { readJson, writePrivateJson } from './json-file.js';
import type { Program } from './launch.js';

/** Below the ports that systems hand to outgoing connections, so that ours is still free when the broker restarts. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const PORT_ATTEMPTS = 50;
const TOKEN_BYTES = 32;
/** 48 bits: no two yards on one broker ever share it. */
const SPACE_BYTES = 6;
const PROBE_MS = 25;

/**
 * Port, token and space stay the same for the life of a yard, over restarts of the broker and of the supervisor.
 *
 * @param keep whether processes run that know the present address
 */
export async function ensureBusFile(paths: YardPaths, choice: BrokerChoice, keep: boolean): Promise<BusAddress> {
  const present = readJson(paths.busFile) as BusAddress | undefined;
  if (keep && present !== undefined) return present;
  const space = randomBytes(SPACE_BYTES).toString('hex');
  const address =
    choice.url === undefined
      ? { url: `nats://127.0.0.1:${await freePort()}`, token: randomBytes(TOKEN_BYTES).toString('hex'), space }
      : { url: choice.url, token: '', space };
  writePrivateJson(paths.busFile, address);
  return address;
}

/** @returns path of the first executable `nats-server`, undefined when there is none */
export function findNatsServer(path: string | undefined): string | undefined {
  return (path ?? '')
    .split(delimiter)
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, 'nats-server'))
    .find(isExecutable);
}

/** A nats-server that only this machine can reach and only with the token. The token is in a file, not in `ps`. */
export function natsServerProgram(
  executable: string,
  address: BusAddress,
  paths: YardPaths,
  env: NodeJS.ProcessEnv,
): Program {
  const { hostname, port } = new URL(address.url);
  const config = join(paths.runtimeDir, 'nats-server.conf');
  const lines = [`listen: "${hostname}:${port}"`, `authorization { token: "${address.token}" }`, 'logtime: true'];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  return { command: executable, args: ['--config', config], env, ready: (signal) => answers(address.url, signal) };
}

/** Waits until a broker greets us. @returns false when the signal fires first */
async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const { hostname, port } = new URL(url);
  while (!signal.aborted) {
    if (await greets(hostname, Number(port))) return !signal.aborted;
    await delay(PROBE_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

function greets(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.once('data', (data) => finish(data.toString('latin1').startsWith('INFO ')));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}

async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`found no free port between ${FIRST_PORT} and ${LAST_PORT} for the bus`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port }, () => server.close(() => resolve(true)));
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // not there or not ours to run: the next folder may have one
  }
}
