import { once } from 'node:events';
import { connect } from 'node:net';
import { jsonOf, makeFrame } from './frames.mjs';

/** Lines in flight at once on one connection: enough to pipeline, below the bound for waits. */
const WINDOW = 64;
/** A reply that takes longer is a hang. */
const REPLY_MS = 30_000;

/**
 * Throws lines at the gateway over one connection after another and holds it to its promise: every line that asks for a
 * reply gets exactly one, with its id where that can be read.
 */
export class Session {
  /** @param {{ path: string, random: ReturnType<import('./random.mjs').randomOf>, name: string }} options */
  constructor({ path, random, name }) {
    this.path = path;
    this.random = random;
    this.name = name;
    this.sent = 0;
    this.faults = [];
  }

  /** @param {() => boolean} takeOne whether there is another frame to send; called once for each */
  async run(takeOne) {
    while (await this.#overOneConnection(takeOne));
  }

  /** @returns false when there is nothing left to send */
  async #overOneConnection(takeOne) {
    const socket = connect({ path: this.path, allowHalfOpen: true });
    await once(socket, 'connect');
    try {
      return await this.#exchange(socket, takeOne);
    } finally {
      socket.destroy();
    }
  }

  async #exchange(socket, takeOne) {
    const replies = new Replies(socket);
    for (;;) {
      const batch = this.#batch(takeOne);
      if (batch.length === 0) {
        socket.end();
        await replies.untilClosed();
        return false;
      }
      await this.#send(socket, batch);
      this.#compare(batch, await replies.take(batch.filter(({ expects }) => expects !== 'none').length));
      if (this.faults.length > 0) return false;
      if (batch.at(-1).expects === 'close') {
        await replies.untilClosed();
        return true;
      }
    }
  }

  #batch(takeOne) {
    const batch = [];
    while (batch.length < WINDOW && takeOne()) {
      batch.push(makeFrame(this.random, this.sent++));
      if (batch.at(-1).expects === 'close') break;
    }
    return batch;
  }

  /** In pieces that end anywhere. */
  async #send(socket, batch) {
    const bytes = Buffer.concat(batch.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
    for (let at = 0; at < bytes.length; ) {
      const end = this.random.chance(0.2) ? at + 1 + this.random.below(2000) : bytes.length;
      if (!socket.write(bytes.subarray(at, end)) && !socket.destroyed)
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      at = end;
    }
  }

  #compare(batch, lines) {
    const ids = new Map();
    let withoutId = 0;
    for (const { expects, id } of batch) {
      if (expects === 'none') continue;
      if (id === undefined) withoutId++;
      else ids.set(id, (ids.get(id) ?? 0) + 1);
    }
    let others = 0;
    for (const line of lines) {
      const reply = parsedReply(line);
      if (reply === undefined) return this.#fault(batch, `not a reply: ${line}`);
      const id = jsonOf(reply.id);
      const left = ids.get(id) ?? 0;
      if (left > 0) ids.set(id, left - 1);
      else others++;
    }
    const missing = [...ids].filter(([, left]) => left > 0).map(([id]) => id);
    if (missing.length > 0 || others !== withoutId) {
      this.#fault(batch, `${lines.length} replies for ${batch.length} lines; no reply for id ${missing.join(', ')}`);
    }
  }

  #fault(batch, what) {
    const lines = batch.map(
      ({ bytes, expects, id }) => `${expects} ${id} ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`,
    );
    this.faults.push(`${this.name}: ${what}\n  ${lines.join('\n  ')}`);
  }
}

function parsedReply(line) {
  try {
    const reply = JSON.parse(line);
    const isV2 = typeof reply.ok === 'boolean' && (reply.ok ? 'result' in reply : typeof reply.error.code === 'string');
    const isJsonRpc = reply.jsonrpc === '2.0' && ('result' in reply || typeof reply.error.code === 'number');
    return isV2 || isJsonRpc ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** The lines that come back, in whole. */
class Replies {
  #chunks = [];
  #lines = [];
  #wake = () => undefined;
  #closed = false;

  constructor(socket) {
    socket.on('error', () => undefined); // seen as the end
    socket.on('data', (chunk) => this.#read(chunk));
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#closed = true;
        this.#wake();
      });
    }
  }

  /** @returns as many lines as asked for, or fewer when the connection ended or nothing came for too long */
  async take(count) {
    while (this.#lines.length < count && !this.#closed) {
      if (!(await this.#change())) break;
    }
    return this.#lines.splice(0, count);
  }

  async untilClosed() {
    while (!this.#closed && (await this.#change()));
  }

  #read(chunk) {
    this.#chunks.push(chunk);
    if (!chunk.includes(0x0a)) return;
    const lines = Buffer.concat(this.#chunks).toString('utf8').split('\n');
    this.#chunks = [Buffer.from(lines.pop() ?? '')];
    this.#lines.push(...lines);
    this.#wake();
  }

  /** @returns false when nothing happened for too long */
  #change() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), REPLY_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
