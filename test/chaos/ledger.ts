/** What must not happen, in the words of the report. All of them zero is the promise. */
export const FAULTS = [
  'bytes lost',
  'bytes doubled',
  'inputs lost',
  'inputs doubled',
  'processes lost',
  'events lost',
  'events doubled',
  'changes lost',
  'changes doubled',
  'prompts lost',
  'prompts doubled',
  'requests without an answer',
  'wrong answers',
  'descriptors grown',
  'memory grown',
  'left behind',
] as const;
export type Fault = (typeof FAULTS)[number];

/** What was done, so that a reader sees that zero is not the zero of an idle yard. */
export const DEEDS = [
  'actions',
  'requests',
  'repeats',
  'bytes',
  'inputs',
  'waits',
  'prompts',
  'changes',
  'events',
  'gaps',
  'reconnects',
] as const;
export type Deed = (typeof DEEDS)[number];

/** The first of a kind say what is wrong; thousands more say it again. */
const SHOWN_OF_A_KIND = 10;

/** Counts faults and deeds, and keeps what is said of the first faults of each kind. */
export class Ledger {
  readonly #faults = new Map<Fault, number>();
  readonly #deeds = new Map<Deed, number>();
  readonly #said = new Map<Fault, string[]>();
  readonly #now: () => string;

  /** @param now the time, as it is put before what is said of a fault */
  constructor(now: () => string = () => '') {
    this.#now = now;
  }

  /** @param what for the reader: which surface, which request, what was expected and what was there */
  fault(kind: Fault, what: string, amount = 1): void {
    this.#faults.set(kind, this.count(kind) + amount);
    const said = this.#said.get(kind) ?? [];
    this.#said.set(kind, said);
    if (said.length < SHOWN_OF_A_KIND) said.push(`${this.#now()} ${kind}: ${what}`.trimStart());
  }

  did(deed: Deed, amount = 1): void {
    this.#deeds.set(deed, (this.#deeds.get(deed) ?? 0) + amount);
  }

  count(kind: Fault): number {
    return this.#faults.get(kind) ?? 0;
  }

  done(deed: Deed): number {
    return this.#deeds.get(deed) ?? 0;
  }

  get isClean(): boolean {
    return FAULTS.every((kind) => this.count(kind) === 0);
  }

  /** What is said of the faults, by kind. */
  get said(): string[] {
    return FAULTS.flatMap((kind) => this.#said.get(kind) ?? []);
  }

  /** One line of what was done. */
  get deedsLine(): string {
    return DEEDS.map((deed) => `${deed} ${this.done(deed)}`).join(', ');
  }

  /** One line of counts. */
  get faultsLine(): string {
    return FAULTS.map((kind) => `${kind} ${this.count(kind)}`).join(', ');
  }

  /** The last line of a report. */
  verdict(seed: number): string {
    if (this.isClean) return `verdict: all zero (seed ${seed})`;
    const wrong = FAULTS.filter((kind) => this.count(kind) > 0).map((kind) => `${kind} ${this.count(kind)}`);
    return `verdict: FAILED: ${wrong.join(', ')} (seed ${seed})`;
  }
}
