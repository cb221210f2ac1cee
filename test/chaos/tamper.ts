/**
 * What can be made wrong between the yard and the checks: whoever trusts a harness has seen it fail. Each is done once.
 *
 * byte: a byte of output is dropped; twice: a piece of output comes twice; input: an echo is heard twice;
 * event: an event is dropped; change: a change is made twice; prompt: a prompt is submitted twice; answer: a reply is
 * dropped; process: a program is taken for another than was started; descriptors: a process is taken for one that held
 * none before
 */
export const TAMPERINGS = [
  'byte',
  'twice',
  'input',
  'event',
  'change',
  'prompt',
  'answer',
  'process',
  'descriptors',
] as const;
export type Tampering = (typeof TAMPERINGS)[number];

export class Tamper {
  readonly #left: Set<Tampering>;

  constructor(wanted: Iterable<Tampering> = []) {
    this.#left = new Set(wanted);
  }

  /** @returns whether it is to be done now; true once at most */
  takes(kind: Tampering): boolean {
    return this.#left.delete(kind);
  }
}
