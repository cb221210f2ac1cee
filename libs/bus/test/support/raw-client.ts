import { connect, type Socket } from 'node:net';
import { waitFor } from '@switchyard/testing';
import type { TestBroker } from './brokers.js';

/** A client that says exactly what it is told, and shows every byte that comes back. */
export class RawClient {
  readonly socket: Socket;
  #received = '';
  #closed = false;

  constructor(broker: TestBroker) {
    this.socket = connect(broker.port, '127.0.0.1');
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text) => {
      this.#received += text;
    });
    // Being cut off is what many cases are about.
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.#closed = true;
    });
  }

  get received(): string {
    return this.#received;
  }

  send(...lines: string[]): this {
    this.socket.write(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
    return this;
  }

  /** Waits for text and forgets everything up to its end. */
  async hear(text: string | RegExp): Promise<string> {
    return waitFor(`${text}`, () => this.#take(text), { seen: () => this.#received.slice(-500) });
  }

  /** Everything that came until the broker has handled all that was sent. */
  async settled(): Promise<string> {
    this.send('PING');
    const heard = await waitFor('PONG', () => this.#take(/[\s\S]*PONG\r\n/), {
      seen: () => this.#received.slice(-500),
    });
    return heard.replace(/PONG\r\n$/, '');
  }

  async closed(): Promise<void> {
    await waitFor('the broker to close the connection', () => this.#closed);
  }

  end(): void {
    this.socket.destroy();
  }

  #take(text: string | RegExp): string | undefined {
    const at = typeof text === 'string' ? this.#received.indexOf(text) : this.#received.search(text);
    if (at === -1) return undefined;
    const found = typeof text === 'string' ? text : (text.exec(this.#received)?.[0] ?? '');
    this.#received = this.#received.slice(at + found.length);
    return found;
  }
}

/** Connected and let in, its INFO read. */
export async function rawClient(broker: TestBroker, options: object = {}): Promise<RawClient> {
  const client = new RawClient(broker);
  await client.hear(/INFO \{.*\}\s*\r\n/);
  client.send(`CONNECT ${JSON.stringify({ auth_token: broker.token, verbose: false, ...options })}`);
  await client.settled();
  return client;
}
