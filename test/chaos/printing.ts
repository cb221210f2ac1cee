import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@switchyard/testing';
import type { Random } from '../fuzz/random.mjs';
import { AGAIN_AFTER_MS, type Door, isPassing } from './door.js';
import { LineChecker } from './line-checker.js';
import { LINE_BYTES, lineOf, printerArgv } from './lines.js';
import { StreamReader } from './stream-reader.js';
import { type Actor, pause, type World } from './world.js';

/** Lines of one burst: from less than a read to more than the screen keeps. */
const BURST = { least: 1, most: 1600 };
const PAUSE_MS = { least: 100, most: 2_000 };
/** One read; small ones cut lines everywhere. */
const PIECE_BYTES = [700, 9_000, 64 * 1024, 1024 * 1024] as const;
const WAIT_MS = 5_000;
/** A burst that is not there after this has been lost. */
const BURST_MS = 240_000;
/** How far back an old part is read once more: well within what the log keeps. */
const REREAD_BYTES = 4 * 1024 * 1024;
/** Every third is followed by what is pushed, the others are asked. */
const STREAMED = 3;

/** A program that prints numbered lines in bursts, followed byte by byte at exact offsets, and waited for. */
export class Printing implements Actor {
  readonly name: string;
  readonly #world: World;
  readonly #number: number;
  readonly #door: Door;
  readonly #waitDoor: Door;
  readonly #random: Random;
  #fifo = '';
  #surface = '';
  #checker: LineChecker;
  #stream: StreamReader | undefined;
  #line = 0;

  /** @param number from 1 */
  constructor(world: World, number: number) {
    this.name = `printer ${number}`;
    this.#world = world;
    this.#number = number;
    this.#door = world.door();
    this.#waitDoor = world.door();
    this.#random = world.random();
    this.#checker = new LineChecker(number, 0, world.ledger);
  }

  async open(): Promise<void> {
    this.#fifo = this.#world.fifo(`printer-${this.#number}`);
    const { surface_id, offset } = await this.#world.start(
      this.#door,
      this.name,
      printerArgv(this.#number, this.#fifo),
    );
    this.#surface = surface_id;
    this.#checker = new LineChecker(this.#number, offset, this.#world.ledger);
    if (this.#number % STREAMED !== 0) return;
    this.#stream = new StreamReader(this.#world, surface_id, this.#checker);
    this.#stream.start();
  }

  async run(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      this.#line += BURST.least + this.#random.below(BURST.most - BURST.least);
      const waiting = this.#random.chance(0.5) ? this.#waitFor(this.#line) : Promise.resolve();
      this.#print(this.#line);
      await Promise.all([this.#follow(this.#line), waiting]);
      if (this.#random.chance(0.2)) await this.#reread();
      await pause(PAUSE_MS.least + this.#random.below(PAUSE_MS.most - PAUSE_MS.least), until);
    }
  }

  /** The last megabytes are read once more. */
  async finish(): Promise<void> {
    await this.#stream?.stop();
    await this.#waitDoor.close();
    const { offset } = await this.#door.surely('surface.read_output', { surface_id: this.#surface, max_bytes: 1 });
    const start = Math.max(offset, this.#checker.base, this.#checker.next - REREAD_BYTES);
    for (let at = start; at < this.#checker.next; ) at = await this.#readAgain(at, this.#checker.next - at);
  }

  async close(): Promise<void> {
    await this.#stream?.stop();
    await this.#door.close();
    await this.#waitDoor.close();
  }

  #printed = 0;
  #print(last: number): void {
    appendFileSync(this.#fifo, `${last - this.#printed}\n`);
    this.#printed = last;
  }

  async #follow(line: number): Promise<void> {
    const isThere = () => this.#checker.next >= this.#checker.endOf(line);
    if (this.#stream !== undefined) {
      await waitFor(`line ${line}`, isThere, { timeoutMs: BURST_MS }).catch(() => this.#missing(line));
      return;
    }
    const end = Date.now() + BURST_MS;
    while (!isThere()) {
      if (Date.now() > end) return this.#missing(line);
      await this.#readOn();
    }
  }

  async #readOn(): Promise<void> {
    const { ledger, tamper } = this.#world;
    const slice = await this.#door.surely('surface.read_output', {
      surface_id: this.#surface,
      offset: this.#checker.next,
      max_bytes: this.#random.pick(PIECE_BYTES),
      wait_ms: WAIT_MS,
    });
    if (slice.gap !== undefined) ledger.fault('bytes lost', `${this.name}: gap ${JSON.stringify(slice.gap)}`);
    let data: Buffer = Buffer.from(slice.data, 'base64');
    if (data.length !== slice.next_offset - slice.offset) {
      ledger.fault('wrong answers', `${this.name}: ${data.length} bytes from ${slice.offset} to ${slice.next_offset}`);
    }
    if (data.length > 0 && tamper.takes('byte')) data = Buffer.concat([data.subarray(0, 5), data.subarray(6)]);
    this.#checker.take(slice.offset, data);
    if (data.length > 0 && tamper.takes('twice')) this.#checker.take(slice.offset, data);
  }

  #missing(line: number): void {
    const bytes = this.#checker.endOf(line) - this.#checker.next;
    this.#world.ledger.fault('bytes lost', `${this.name}: nothing after ${this.#checker.next}, line ${line}`, bytes);
    throw new Error(`${this.name} has stopped: line ${line} is missing`);
  }

  /** Told before the line is printed, or just after. The text is on the screen until the next burst. */
  async #waitFor(line: number): Promise<void> {
    const params = { surface_id: this.#surface, pattern: lineOf(this.#number, line), timeout_ms: BURST_MS };
    const end = Date.now() + BURST_MS;
    for (;;) {
      try {
        await this.#waitDoor.ask('surface.wait', params);
        this.#world.ledger.did('waits');
        return;
      } catch (error) {
        if (!isPassing(error) || Date.now() > end) {
          this.#world.ledger.fault('wrong answers', `${this.name}: the wait for line ${line}: ${String(error)}`);
          return;
        }
      }
      this.#world.ledger.did('repeats');
      await delay(AGAIN_AFTER_MS);
    }
  }

  async #reread(): Promise<void> {
    const { base, next } = this.#checker;
    const kept = Math.min(next - base, REREAD_BYTES);
    if (kept < LINE_BYTES) return;
    const at = next - 1 - this.#random.below(kept - 1);
    await this.#readAgain(at, 1 + this.#random.below(next - at));
  }

  /** @returns the offset after what was read */
  async #readAgain(offset: number, max_bytes: number): Promise<number> {
    const slice = await this.#door.surely('surface.read_output', { surface_id: this.#surface, offset, max_bytes });
    const data = Buffer.from(slice.data, 'base64');
    if (slice.offset !== offset || data.length === 0) {
      this.#world.ledger.fault('bytes lost', `${this.name}: what was at ${offset} is not there any more`);
      return offset + max_bytes;
    }
    this.#checker.reread(offset, data);
    return slice.next_offset;
  }
}
