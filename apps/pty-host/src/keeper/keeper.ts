import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { ServiceEnv } from '@switchyard/config';
import type { NodeProgram } from '@switchyard/service/exec';
import { storageFault, storageMessage } from '@switchyard/store/fault';
import { ControlGroups, groupRoot } from './control-groups.js';
import { KeeperFault } from './fault.js';
import { FollowerConnection, isDeparture } from './follower-connection.js';
import { adoptAll } from './handoff/adopting.js';
import { HandingOver } from './handoff/handing-over.js';
import { type Inheritance, lastHandoff } from './handoff/inheritance.js';
import { LineSplitter } from './lines.js';
import type { KeeperLog } from './logger.js';
import { operations, perform } from './operations.js';
import { listenPrivately } from './private-socket.js';
import type { KeeperEvent, KeeperReply } from './protocol.js';
import { Registry } from './registry.js';
import type { Graces } from './session.js';
import type { TerminalSettings } from './terminal.js';

export interface KeeperConfig extends TerminalSettings, Graces {
  readonly socket: string;
  /** What all logs may hold together. */
  readonly poolBytes: number;
}

export interface KeeperApp {
  /** @param inherited the terminals of an earlier keeper of this process */
  start(inherited?: Inheritance): Promise<void>;
  /** Hangs up all terminals, writes how they ended, and goes. */
  stop(): Promise<void>;
}

/** What this process runs and was told, for a keeper that can be replaced. */
export interface KeeperIdentity {
  readonly env: ServiceEnv;
  readonly program: NodeProgram;
}

/** Input of a megabyte in base64, or a start with a large environment, with room to spare. */
const REQUEST_LIMIT_BYTES = 16 * 1024 * 1024;

/** The process that owns the terminals of a host. Nothing starts before `start`. */
export function buildKeeper(config: KeeperConfig, log: KeeperLog, identity?: KeeperIdentity): KeeperApp {
  const connections = new Set<FollowerConnection>();
  const following = (surfaceId: string) => [...connections].filter((connection) => connection.follows(surfaceId));
  const registry = new Registry({
    ...config,
    log,
    groups: new ControlGroups(() => groupRoot(process.pid)),
    onOutput: (surfaceId, offset) => {
      for (const connection of following(surfaceId)) connection.mark(surfaceId, offset);
    },
    onEvent: (surfaceId, event) => tell(following(surfaceId), event),
  });
  let inheritance: Inheritance | undefined;
  const startedAt = Date.now();
  const handingOver =
    identity &&
    new HandingOver({
      ...identity,
      registry,
      connections,
      socketFd: () => descriptorOf(server),
      recordPath: `${config.socket}.${process.pid}.handoff`,
      log,
    });
  const table = operations(registry, {
    last: () => (inheritance === undefined ? null : lastHandoff(inheritance, startedAt)),
    handOver: async (to, asking) => {
      if (handingOver === undefined) throw new KeeperFault('not_supported', 'This keeper is part of another program.');
      return handingOver.handOver(to, asking);
    },
  });

  const answer = async (connection: FollowerConnection, line: Buffer): Promise<KeeperReply> => {
    const request = parse(line);
    const id = typeof request?.['id'] === 'number' ? request['id'] : null;
    try {
      if (request === undefined) throw new KeeperFault('parse_error', 'The line is not a JSON object.');
      return { id, ok: true, result: await perform(table, request['op'], request, connection) };
    } catch (error) {
      return failure(id, error, log);
    }
  };

  const accept = (socket: Socket) => {
    const connection = new FollowerConnection(socket);
    connections.add(connection);
    const splitter = new LineSplitter(REQUEST_LIMIT_BYTES, (line) => void connection.serve(answer(connection, line)));
    socket.on('data', (chunk: Buffer) => {
      if (!splitter.push(chunk)) socket.destroy(new Error('request line over the limit'));
    });
    socket.on('end', () => connection.ended());
    socket.on('error', (error) => {
      if (!isDeparture(error)) log.warn({ follower: connection.name, reason: error.message }, 'follower cut off');
    });
    socket.on('close', () => connections.delete(connection));
  };

  // Half open: a follower that has ended its side still gets the answers that are under way.
  const server = createServer({ allowHalfOpen: true }, accept);
  return {
    start: async (inherited) => {
      inheritance = inherited;
      if (inherited === undefined) await listenPrivately(server, config.socket);
      else await adoptAll(inherited, registry, server);
      registry.restore();
      log.info({ socket: config.socket, terminals: registry.list().length }, 'keeper is ready');
    },
    stop: async () => {
      await registry.closeAll();
      for (const connection of connections) connection.close();
      await new Promise((resolve) => server.close(resolve));
      rmSync(config.socket, { force: true });
      log.info({}, 'keeper has hung up its terminals');
    },
  };
}

function tell(connections: readonly FollowerConnection[], event: KeeperEvent): void {
  for (const connection of connections) connection.event(event);
}

function parse(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function failure(id: number | null, error: unknown, log: KeeperLog): KeeperReply {
  if (error instanceof KeeperFault) {
    const { code, message, data } = error;
    return { id, ok: false, error: { code, message, ...(data && { data }) } };
  }
  const fault = storageFault(error);
  if (fault !== undefined) {
    const { path } = error as NodeJS.ErrnoException;
    log.warn({ fault, path }, 'the disk did not take an operation');
    return { id, ok: false, error: { code: fault, message: storageMessage(fault, path), data: { path } } };
  }
  log.error({ error: error instanceof Error ? error.stack : String(error) }, 'operation failed');
  return { id, ok: false, error: { code: 'internal_error', message: 'A fault of the keeper; its log says more.' } };
}

/** The types do not know it; `listen({ fd })` of the next keeper takes it. */
function descriptorOf(server: Server): number {
  const fd = (server as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;
  if (fd === undefined || fd < 0) throw new KeeperFault('invalid_state', 'The keeper does not listen.');
  return fd;
}
