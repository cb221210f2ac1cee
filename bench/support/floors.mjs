import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { connectClient } from '@switchyard/client';
import { freePort, hasNatsServer, startNatsServer } from '@switchyard/testing';

/**
 * @typedef {object} Floor
 * @property {string} name
 * @property {() => Promise<unknown>} ask one small request and its answer
 * @property {() => Promise<void>} stop
 */

/** A unix socket that answers each line of JSON with one. @returns {Promise<Floor>} */
export async function bareSocket(dir) {
  const path = join(dir, 'floor.sock');
  const server = await started('echo-server.mjs', path);
  const client = await connectClient(path);
  return {
    name: 'floor: bare unix socket',
    ask: () => client.call('system.ping', {}),
    stop: async () => {
      client.close();
      await server.stop();
    },
  };
}

/**
 * A broker and one process that answers JSON with JSON, with nothing of ours but, where it is asked for, the broker.
 *
 * @param {'embedded' | 'nats-server'} kind
 * @returns {Promise<Floor | null>} null: there is no nats-server here
 */
export async function bareBroker(kind) {
  if (kind === 'nats-server' && !hasNatsServer()) return null;
  const broker = kind === 'embedded' ? await embedded() : await startNatsServer();
  const responder = await started('nats-responder.mjs', broker.url, broker.token);
  const nc = await connect({ servers: broker.url, token: broker.token });
  let id = 0;
  return {
    name: `floor: bare NATS (${kind === 'embedded' ? 'our embedded broker' : 'nats-server'})`,
    ask: async () => {
      const reply = await nc.request('floor', JSON.stringify({ id: ++id, params: {} }), { timeout: 10_000 });
      return JSON.parse(reply.string());
    },
    stop: async () => {
      await nc.close();
      await responder.stop();
      await broker.stop();
    },
  };
}

async function embedded() {
  const token = 'for-benches-only';
  const port = await freePort();
  const server = await started('broker.mjs', String(port), token);
  return { url: `nats://127.0.0.1:${port}`, token, stop: server.stop };
}

/** A process of its own, which says when it can be asked and ends when we let go of it. */
async function started(file, ...args) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  await once(child, 'message');
  return {
    stop: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
