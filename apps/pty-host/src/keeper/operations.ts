import type { NodeProgram } from '@switchyard/service/exec';
import { ownVersion } from '@switchyard/service/version';
import { ParamReader } from './domain/read-params.js';
import { KeeperFault } from './fault.js';
import type { FollowerConnection } from './follower-connection.js';
import type { LastHandoff } from './handoff/inheritance.js';
import { KEEPER_PROTOCOL_VERSION, type KeeperOp, type KeeperResult, OLDEST_KEEPER_PROTOCOL } from './protocol.js';
import type { Registry } from './registry.js';

type Answer<O extends KeeperOp> = KeeperResult<O> | Promise<KeeperResult<O>>;
type Operation<O extends KeeperOp> = (params: ParamReader, connection: FollowerConnection) => Answer<O>;
export type Operations = { readonly [O in KeeperOp]: Operation<O> };

/** The first version whose followers end their side when they are told of a handoff. */
const KNOWS_HANDOFF = 2;
const MAX_SHARDS = 1024;

export interface HandoffPart {
  readonly handOver: (to: NodeProgram, asking: FollowerConnection) => Promise<never>;
  readonly last: () => LastHandoff | null;
}

/** What the keeper does for its followers, by the name of the operation. */
export function operations(registry: Registry, handoff: HandoffPart): Operations {
  return {
    hello: (params, connection) => {
      const version = params.integer('version', 0, Number.MAX_SAFE_INTEGER);
      if (version < OLDEST_KEEPER_PROTOCOL || version > KEEPER_PROTOCOL_VERSION) {
        const spoken = { version: KEEPER_PROTOCOL_VERSION, oldest: OLDEST_KEEPER_PROTOCOL };
        throw new KeeperFault('version_mismatch', `This keeper does not speak version ${version}.`, spoken);
      }
      connection.name = params.text('follower');
      connection.knowsHandoff = version >= KNOWS_HANDOFF;
      const about = { software: ownVersion(), handoff: handoff.last() };
      return { version, pid: process.pid, terminals: registry.list(), ...about };
    },
    spawn: (params) => {
      const program = { argv: params.argv(), cwd: params.text('cwd'), env: params.env() };
      return registry.spawn(params.surfaceId(), program, params.size());
    },
    input: (params) => {
      const data = Buffer.from(params.text('data'), 'base64');
      return registry.input(params.surfaceId(), data, params.optionalText('input_id'));
    },
    resize: (params) => registry.resize(params.surfaceId(), params.size()),
    close: (params) => registry.close(params.surfaceId(), params.flag('kill_survivors')),
    forget: (params) => registry.forget(params.surfaceId()),
    list: () => ({ terminals: registry.list() }),
    follow: (params, connection) => {
      const shards = params.integer('shards', 1, MAX_SHARDS);
      connection.follow(params.integer('shard', 0, shards - 1), shards);
      return { terminals: registry.list().filter((terminal) => connection.follows(terminal.surface_id)) };
    },
    handoff: (params, connection) =>
      handoff.handOver({ node: params.text('node'), main: params.text('main') }, connection),
    ack: (params) => registry.ack(params.surfaceId(), params.integer('offset', 0, Number.MAX_SAFE_INTEGER)),
  };
}

/** @throws KeeperFault `method_not_found` */
export function perform(
  table: Operations,
  op: unknown,
  raw: Readonly<Record<string, unknown>>,
  connection: FollowerConnection,
): unknown {
  if (typeof op !== 'string' || !Object.hasOwn(table, op)) {
    throw new KeeperFault('method_not_found', `The keeper has no operation ${String(op)}.`);
  }
  const params = new ParamReader(raw, (message, data) => new KeeperFault('invalid_params', message, data));
  return table[op as KeeperOp](params, connection);
}
