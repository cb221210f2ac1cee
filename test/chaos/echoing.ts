import type { Params } from '@switchyard/protocol';
import type { Random } from '../fuzz/random.mjs';
import { codeOf, type Door, isPassing } from './door.js';
import { type Actor, pause, type World } from './world.js';

const ECHO = [
  '/bin/sh',
  '-c',
  `stty -echo; printf 'READY %s;\\n' $$; while IFS= read -r line; do printf '<%s>\\n' "$line"; done`,
];
const PAUSE_MS = { least: 50, most: 1_500 };
const WAIT_MS = 5_000;
/** What was accepted is echoed within this, whatever is suspended meanwhile. */
const ECHO_MS = 240_000;
/** Sent without an id, so that its outcome may stay unknown. */
const UNNAMED_SHARE = 0.2;
/** Answers after which nothing has been typed. */
const NOT_TYPED = new Set(['service_unavailable', 'overloaded']);

type Expected = 'once' | 'never' | 'at most once';

/** Types numbered lines into a program that says each again, and counts what it says. */
export class Echoing implements Actor {
  readonly name: string;
  readonly #world: World;
  readonly #door: Door;
  readonly #random: Random;
  readonly #expected = new Map<number, Expected>();
  readonly #heard = new Map<number, number>();
  #surface = '';
  #offset = 0;
  #rest = '';
  #last = 0;

  constructor(world: World, number: number) {
    this.name = `echo ${number}`;
    this.#world = world;
    this.#door = world.door();
    this.#random = world.random();
  }

  async open(): Promise<void> {
    const { surface_id, offset } = await this.#world.start(this.#door, this.name, ECHO);
    this.#surface = surface_id;
    this.#offset = offset;
  }

  async run(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const number = ++this.#last;
      const isNamed = !this.#random.chance(UNNAMED_SHARE);
      this.#expected.set(number, await (isNamed ? this.#typeSurely(number) : this.#typeOnce(number)));
      this.#world.ledger.did('inputs');
      if (this.#expected.get(number) === 'once') await this.#hear(number);
      await pause(PAUSE_MS.least + this.#random.below(PAUSE_MS.most - PAUSE_MS.least), until);
    }
  }

  /** Input that is typed now comes after all that could still be on its way. */
  async finish(): Promise<void> {
    const last = ++this.#last;
    this.#expected.set(last, await this.#typeSurely(last));
    await this.#hear(last);
    for (const [number, expected] of this.#expected) this.#judge(number, expected, this.#heard.get(number) ?? 0);
    for (const number of this.#heard.keys()) {
      if (!this.#expected.has(number)) this.#fault('inputs doubled', `${number} was never typed`);
    }
  }

  async close(): Promise<void> {
    await this.#door.close();
  }

  #judge(number: number, expected: Expected, heard: number): void {
    if (heard === 0 && expected === 'once') this.#fault('inputs lost', `${number} was accepted, not heard`);
    if (heard > 1) this.#fault('inputs doubled', `${number} was heard ${heard} times`, heard - 1);
    if (heard > 0 && expected === 'never') this.#fault('wrong answers', `${number} was refused, and typed`);
  }

  #fault(kind: 'inputs lost' | 'inputs doubled' | 'wrong answers', what: string, amount = 1): void {
    this.#world.ledger.fault(kind, `${this.name}: input ${what}`, amount);
  }

  async #typeSurely(number: number): Promise<Expected> {
    if (this.#random.chance(0.5)) await this.#door.surely('surface.send_text', this.#text(number));
    else {
      const data = Buffer.from(this.#text(number).text).toString('base64');
      await this.#door.surely('surface.send_bytes', { surface_id: this.#surface, data });
    }
    return 'once';
  }

  async #typeOnce(number: number): Promise<Expected> {
    try {
      await this.#door.ask('surface.send_text', this.#text(number));
      return 'once';
    } catch (error) {
      if (!isPassing(error)) throw error;
      return NOT_TYPED.has(codeOf(error) ?? '') ? 'never' : 'at most once';
    }
  }

  #text(number: number): Params<'surface.send_text'> & { text: string } {
    return { surface_id: this.#surface, text: `${number} ${this.#mark(number)}\r` };
  }

  /** So that a line that is not whole is not taken for another. */
  #mark(number: number): string {
    return String((number * 7919) % 10_007).padStart(5, '0');
  }

  async #hear(number: number): Promise<void> {
    const end = Date.now() + ECHO_MS;
    while (!this.#heard.has(number)) {
      // finish() says what has not been heard.
      if (Date.now() > end) return;
      const asked = { surface_id: this.#surface, offset: this.#offset, wait_ms: WAIT_MS };
      const slice = await this.#door.surely('surface.read_output', asked);
      this.#offset = slice.next_offset;
      this.#take(Buffer.from(slice.data, 'base64').toString('latin1'));
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\r\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, number = '', mark] = /^<(\d+) (\d{5})>$/.exec(line) ?? [];
      if (mark === undefined || mark !== this.#mark(Number(number))) {
        this.#fault('inputs lost', `came out as ${JSON.stringify(line.slice(0, 80))}`);
        continue;
      }
      const times = this.#world.tamper.takes('input') ? 2 : 1;
      this.#heard.set(Number(number), (this.#heard.get(Number(number)) ?? 0) + times);
    }
  }
}
