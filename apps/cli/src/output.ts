import { cleanText } from './domain/clean-text.js';
import { table } from './domain/table.js';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const CODES: Record<Colour, string> = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33' };

/** Where a command writes: results to standard output, remarks and errors to standard error. */
export class Output {
  /** Results as JSON, one value a command. */
  readonly asJson: boolean;
  readonly #colours: boolean;

  constructor(asJson: boolean, env: NodeJS.ProcessEnv) {
    this.asJson = asJson;
    this.#colours = process.stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  }

  /** Whether a person looks at standard output. */
  get toTerminal(): boolean {
    return process.stdout.isTTY === true;
  }

  json(value: unknown): void {
    this.line(JSON.stringify(value, null, this.toTerminal ? 2 : undefined));
  }

  /** The value as JSON, or the lines that `human` makes of it. */
  result<T>(value: T, human: (value: T) => readonly string[] | string): void {
    if (this.asJson) this.json(value);
    else for (const line of [human(value)].flat()) this.line(line);
  }

  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** Said to the person, not part of the result. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Rows under a heading, cells cleaned. @param colourOf of a cell, after the widths are known */
  table(
    heading: readonly string[],
    rows: readonly (readonly string[])[],
    colourOf?: (cell: string) => Colour | undefined,
  ): string[] {
    const cells = rows.map((row) => row.map((cell) => this.#coloured(cleanText(cell), colourOf)));
    return table([heading.map((cell) => this.paint('dim', cell)), ...cells]);
  }

  paint(colour: Colour, text: string): string {
    return this.#colours ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
  }

  #coloured(cell: string, colourOf: ((cell: string) => Colour | undefined) | undefined): string {
    const colour = colourOf?.(cell);
    return colour === undefined ? cell : this.paint(colour, cell);
  }
}
