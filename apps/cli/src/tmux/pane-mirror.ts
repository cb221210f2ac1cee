import type { Readable, Writable } from 'node:stream';
import { ControlClient, type ControlNews } from './control-client.js';

export interface MirrorOptions {
  readonly socket: string;
  /** `%3` */
  readonly pane: string;
  readonly input: Readable;
  readonly output: Writable;
  /** Told at first, and whenever the pane has another size. */
  readonly onSize: (cols: number, rows: number) => Promise<void>;
}

/** One command line holds so many bytes of input, two digits and a blank each. */
const INPUT_BYTES = 256;
/** After these a pane may have another size, or be gone. */
const LOOK_AFTER: ReadonlySet<string> = new Set(['layout-change', 'window-close', 'unlinked-window-close']);
const FACTS = '#{pane_width} #{pane_height} #{cursor_x} #{cursor_y}';

/** Shows a pane of a tmux server: its history and screen, then exactly what it prints; what is typed goes to it. */
export class PaneMirror {
  readonly #options: MirrorOptions;
  readonly #client: ControlClient;
  #isShown = false;
  #gone: () => void = () => undefined;
  readonly #paneGone = new Promise<void>((resolve) => {
    this.#gone = resolve;
  });

  constructor(options: MirrorOptions) {
    this.#options = options;
    const { socket, pane } = options;
    this.#client = new ControlClient({ socket, target: pane, onNews: (news) => this.#hear(news) });
  }

  /** Resolves when the pane is gone, or its server. @throws when there is no such pane */
  async run(): Promise<void> {
    const { pane, input, output } = this.#options;
    await this.#client.ready();
    await this.#look();
    // What was printed until the answer is in it; what comes after it is told after it.
    // The server reads both at once and does nothing between them. What was printed before is in the answer, what is
    // printed later is told later.
    let cursor: number[] = [];
    await Promise.all([
      this.#client.run(`display-message -p -t ${pane} '${FACTS}'`, (lines) => {
        cursor = numbers(lines);
      }),
      this.#client.run(`capture-pane -p -e -S - -t ${pane}`, (lines) => {
        const [, , x = 0, y = 0] = cursor;
        output.write(joined(lines));
        output.write(`\x1b[0m\x1b[${y + 1};${x + 1}H`);
        this.#isShown = true;
      }),
    ]);
    input.on('data', (data: Buffer) => this.#type(data));
    await Promise.race([this.#client.closed, this.#paneGone]);
    this.#client.close();
  }

  close(): void {
    this.#client.close();
  }

  #hear(news: ControlNews): void {
    if (news.kind === 'output') {
      if (this.#isShown && news.pane === this.#options.pane) this.#options.output.write(news.data);
    } else if (news.kind === 'exit') this.#gone();
    else if (LOOK_AFTER.has(news.name)) this.#look().catch(() => this.#gone());
  }

  async #look(): Promise<void> {
    const { pane, onSize } = this.#options;
    const [cols = 0, rows = 0] = numbers(await this.#client.run(`display-message -p -t ${pane} '${FACTS}'`));
    if (cols === 0 || rows === 0) throw new Error(`there is no pane ${pane}`);
    await onSize(cols, rows);
  }

  #type(data: Buffer): void {
    for (let start = 0; start < data.length; start += INPUT_BYTES) {
      const bytes = [...data.subarray(start, start + INPUT_BYTES)].map((byte) => byte.toString(16).padStart(2, '0'));
      this.#client.run(`send-keys -H -t ${this.#options.pane} ${bytes.join(' ')}`).catch(() => this.#gone());
    }
  }
}

function numbers(lines: readonly Buffer[]): number[] {
  const words = (lines[0]?.toString('latin1') ?? '').split(' ').map(Number);
  return words.every((word) => Number.isInteger(word)) ? words : [];
}

/** Each line begins where a terminal begins one, in no colour of the line before. */
function joined(lines: readonly Buffer[]): Buffer {
  const end = Buffer.from('\x1b[0m\r\n');
  return Buffer.concat(lines.flatMap((line, i) => (i === 0 ? [line] : [end, line])));
}
