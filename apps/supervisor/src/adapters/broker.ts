import { randomBytes, randomInt } from 'node:crypto';
import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { YardPaths } from '@switchyard/config';
import type { BusAddress } from '@switchyard/service/bus-file';
import type { BrokerChoice } from '../domain/choose-broker.js';
import { LEAF_USER } from '../domain/fleet-config.js';
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

/** The address of the yard's own broker, and where a second one joins it that other machines connect to. */
export interface YardAddress extends BusAddress {
  /** On loopback. Only a nats-server has it. */
  readonly leaf?: { readonly port: number; readonly password: string };
}

/**
 * Port, token and space stay the same for the life of a yard, over restarts of the broker and of the supervisor.
 *
 * @param keep whether processes run that know the present address
 * @param fleetSpace the space that credentials of other machines name, if some were ever given out
 */
export async function ensureBusFile(
  paths: YardPaths,
  choice: BrokerChoice,
  keep: boolean,
  fleetSpace?: string,
): Promise<YardAddress> {
  const present = readJson(paths.busFile) as YardAddress | undefined;
  const known = keep && present !== undefined ? present : await newAddress(choice, fleetSpace);
  // A yard of an earlier version had none; its broker has it after a restart.
  const address = choice.kind === 'nats-server' && known.leaf === undefined ? await withLeaf(known) : known;
  if (address !== present) writePrivateJson(paths.busFile, address);
  return address;
}

async function newAddress({ url }: BrokerChoice, fleetSpace: string | undefined): Promise<YardAddress> {
  const space = fleetSpace ?? randomBytes(SPACE_BYTES).toString('hex');
  if (url !== undefined) return { url, token: '', space };
  return { url: `nats://127.0.0.1:${await freePort()}`, token: secret(), space };
}

async function withLeaf(address: YardAddress): Promise<YardAddress> {
  const { port: taken } = new URL(address.url);
  let port = await freePort();
  while (String(port) === taken) port = await freePort();
  return { ...address, leaf: { port, password: secret() } };
}

const secret = () => randomBytes(TOKEN_BYTES).toString('hex');

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
  address: YardAddress,
  paths: YardPaths,
  env: NodeJS.ProcessEnv,
): Program {
  const { hostname, port } = new URL(address.url);
  const config = join(paths.runtimeDir, 'nats-server.conf');
  const lines = [
    `listen: "${hostname}:${port}"`,
    `authorization { token: "${address.token}" }`,
    'logtime: true',
    ...leafLines(address),
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    command: executable,
    args: ['--config', config],
    env,
    ready: (signal) => answers(hostname, Number(port), signal),
  };
}

/** Always there, so that a yard can get a fleet without a restart of its broker. */
function leafLines({ leaf }: YardAddress): string[] {
  if (leaf === undefined) return [];
  const login = `authorization { user: "${LEAF_USER}", password: "${leaf.password}" }`;
  return [`leafnodes { listen: "127.0.0.1:${leaf.port}", no_advertise: true, ${login} }`];
}

/** Waits until a broker greets us. @returns false when the signal fires first */
export async function answers(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await greets(host, port)) return !signal.aborted;
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
